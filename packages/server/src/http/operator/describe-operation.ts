import type Type from 'typebox';
import { type Form, type OperatorOperation, takesIdempotencyKey } from '../../kernel/operation-declaration.ts';
import { refusalsOf } from '../../kernel/operation-refusals.ts';
import { OperatorProblem } from '../../kernel/problem-details.ts';
import { eventStreamMediaType } from '../body/event-stream.ts';
import { formMediaType } from '../body/form-body.ts';
import { jsonMediaTypes } from '../body/json-body.ts';
import { commonHeaders, type DocumentedOperation, problemResponses } from '../openapi/openapi.ts';
import {
  acceptEncodingHeader,
  acceptHeader,
  acceptPatchHeader,
  authenticateHeader,
  etagHeader,
  replayedHeader,
  retryAfterHeader,
  scopeHeader,
  unbufferedHeader,
} from '../openapi/operation-parts.ts';
import { bodyExamples } from './body-examples.ts';
import { pathParameters, queryParameters } from './parameters.ts';

/** The OpenAPI entry of an operation. Its problem examples are components of the document, common to all operations. */
export function describeOperation(operationId: string, operation: OperatorOperation): DocumentedOperation {
  const {
    method,
    path,
    summary,
    description = `${summary}.`,
    query,
    body,
    isBodyOptional,
    form,
    creates,
    ifMatch,
    response,
    streams,
  } = operation;
  return {
    method,
    path,
    operation: {
      operationId,
      summary,
      description: `${description}\n\nScope: ${scopesText(operation)}.`,
      tags: [tagOf(path)],
      security: [{ operatorToken: [] }],
      parameters: [...pathParameters(path), ...queryParameters(query ?? {}), ...headerParameters(operation)],
      ...(body && {
        requestBody: { required: !isBodyOptional, content: jsonContent(body, bodyExamples[operationId]) },
      }),
      ...(form && { requestBody: { required: true, content: formContent(form) } }),
      responses: {
        [creates ? 201 : 200]: {
          description: creates ? 'Created.' : 'Done.',
          headers: {
            ...commonHeaders,
            ...(takesIdempotencyKey(operation) && replayedHeader),
            ...(isRevised(response) && etagHeader),
            ...(streams && unbufferedHeader),
          },
          content: { [streams ? eventStreamMediaType : 'application/json']: { schema: response } },
        },
        ...problemResponses(refusalsOf(operation), {
          schema: OperatorProblem,
          example: (code) => ({ $ref: `#/components/examples/${code}` }),
          ...(takesIdempotencyKey(operation) && { common: replayedHeader }),
          headers: {
            401: authenticateHeader,
            403: scopeHeader,
            ...(ifMatch && { 412: etagHeader }),
            ...(method !== 'GET' && { 415: { ...(form ? acceptHeader : acceptPatchHeader), ...acceptEncodingHeader } }),
            503: retryAfterHeader,
          },
        }),
      },
    },
  };
}

/** The scopes of which an operation needs one, as Markdown. */
export function scopesText({ scope, orScope, notScope }: OperatorOperation): string {
  const or = orScope === undefined ? '' : ` or \`${orScope}\``;
  return `\`${scope}\`${or}${notScope === undefined ? '' : `, not \`${notScope}\``}`;
}

function jsonContent(schema: Type.TSchema, example?: object) {
  return Object.fromEntries(jsonMediaTypes.map((type) => [type, { schema, ...(example && { example }) }]));
}

/** Programs that generate clients know bytes by this type and format, for which JSON Schema has none. */
function formContent({ parts, file }: Form) {
  const properties = parts.properties as Record<string, object>;
  const bytes = { type: 'string', format: 'binary', ...properties[file.name] };
  const schema = { ...parts, properties: { ...properties, [file.name]: bytes } };
  return {
    [formMediaType]: { schema, encoding: { [file.name]: { contentType: file.mediaTypes.join(', ') } } },
  };
}

/** The collection that a path is in, such as `apps`. */
function tagOf(path: string): string {
  const [, , , collection = ''] = path.split('/');
  return collection;
}

/** Whether a response carries the tag of a revision, for an If-Match. */
function isRevised({ properties = {} }: { properties?: object }): boolean {
  return 'revision' in properties;
}

function headerParameters(operation: OperatorOperation): object[] {
  const { ifMatch, streams } = operation;
  return [
    ...(takesIdempotencyKey(operation)
      ? [{ ...headerParameter, name: 'Idempotency-Key', description: keyDescription }]
      : []),
    ...(ifMatch
      ? [{ ...headerParameter, name: 'If-Match', required: ifMatch === 'required', description: matchDescription }]
      : []),
    ...(streams ? [{ ...headerParameter, name: 'Last-Event-ID', description: lastEventIdDescription }] : []),
  ];
}

const headerParameter = { in: 'header', required: false, schema: { type: 'string' } };
const keyDescription =
  'A unique key for this request. For 24 hours, a retry with the same key receives the first response. Ignored on a dry run.';
const matchDescription =
  'The `ETag` of the app that the caller has read. If the app has changed since, the response is 412.';
const lastEventIdDescription =
  'The id of the last message of an earlier stream, which this one continues. Browsers send it when they reconnect.';
