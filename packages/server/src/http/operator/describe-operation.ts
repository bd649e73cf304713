import type Type from 'typebox';
import { OperatorProblem, type ProblemCode } from '../../contract/problem.ts';
import { type Form, formMediaType } from '../body/form-body.ts';
import { jsonMediaTypes } from '../body/json-body.ts';
import { type Documented, problemResponses, requestIdHeader } from '../openapi/openapi.ts';
import {
  acceptHeader,
  acceptPatchHeader,
  authenticateHeader,
  etagHeader,
  replayedHeader,
  retryAfterHeader,
} from '../openapi/operation-parts.ts';
import { bodyExamples } from './body-examples.ts';
import type { Operation } from './operation.ts';
import { pathParameters, queryParameters } from './parameters.ts';

/** What any operation can be refused with. */
const commonRefusals: ProblemCode[] = [
  'malformed_request',
  'token_missing',
  'token_invalid',
  'insufficient_scope',
  'https_required',
  'origin_not_allowed',
  'request_timeout',
  'expectation_failed',
  'host_not_served',
  'invalid_content',
  'headers_too_large',
  'internal_error',
  'unavailable',
];
const bodyRefusals: ProblemCode[] = ['body_too_large', 'unsupported_media_type'];
const repeatRefusals: ProblemCode[] = ['request_in_progress', 'idempotency_key_reused'];

/** The operation in the words of OpenAPI. */
export function describeOperation(operation: Operation): Documented['operation'] {
  const { method, path, id, summary, description = `${summary}.`, scope, body, form, creates, answer } = operation;
  return {
    operationId: id,
    summary,
    description: `${description}\n\nScope: \`${scope}\`.`,
    tags: [tagOf(path)],
    security: [{ operatorToken: [] }],
    parameters: [...pathParameters(path), ...queryParameters(operation.query ?? {}), ...headerParameters(operation)],
    ...(body && { requestBody: { required: true, content: jsonContent(body, bodyExamples[id]) } }),
    ...(form && { requestBody: { required: true, content: formContent(form) } }),
    responses: {
      [creates ? 201 : 200]: {
        description: creates ? 'What was created.' : 'Done.',
        headers: { ...requestIdHeader, ...(isOnce(operation) && replayedHeader), ...(isRevised(answer) && etagHeader) },
        content: { 'application/json': { schema: answer } },
      },
      ...problemResponses(OperatorProblem, refusalsOf(operation), {
        401: authenticateHeader,
        ...(method !== 'GET' && { 415: form ? acceptHeader : acceptPatchHeader }),
        503: retryAfterHeader,
      }),
    },
  };
}

/** A body that is none can be sent to any operation that changes something. */
function refusalsOf(operation: Operation): ProblemCode[] {
  const { method, form, ifMatch, refusals = [] } = operation;
  return [
    ...commonRefusals,
    ...(method === 'GET' ? [] : bodyRefusals),
    ...(method === 'GET' || form ? [] : (['invalid_json'] as const)),
    ...(isOnce(operation) ? repeatRefusals : []),
    ...(ifMatch ? (['precondition_failed'] as const) : []),
    ...(ifMatch === 'required' ? (['precondition_required'] as const) : []),
    ...refusals,
  ];
}

function jsonContent(schema: Type.TSchema, example?: object) {
  return Object.fromEntries(jsonMediaTypes.map((type) => [type, { schema, ...(example && { example }) }]));
}

function formContent({ parts, file }: Form) {
  return {
    [formMediaType]: { schema: parts, encoding: { [file.name]: { contentType: file.mediaTypes.join(', ') } } },
  };
}

function tagOf(path: string): string {
  return path.split('/')[3] as string;
}

/** Whether an answer can be the subject of an If-Match: then it carries its tag. */
export function isRevised(answer: Type.TSchema): boolean {
  return 'revision' in ((answer as { properties?: object }).properties ?? {});
}

/** Whether a repeat under the same Idempotency-Key does nothing more. */
export function isOnce({ creates, once }: Operation): boolean {
  return creates === true || once === true;
}

function headerParameters(operation: Operation): object[] {
  const { ifMatch } = operation;
  return [
    ...(isOnce(operation) ? [{ ...headerParameter, name: 'Idempotency-Key', description: keyDescription }] : []),
    ...(ifMatch
      ? [{ ...headerParameter, name: 'If-Match', required: ifMatch === 'required', description: matchDescription }]
      : []),
  ];
}

const headerParameter = { in: 'header', required: false, schema: { type: 'string' } };
const keyDescription = 'Names this one request. For 24 hours a repeat with the same key gets the first answer again.';
const matchDescription = 'The `ETag` of the app as the caller has seen it. If the app has changed since: 412.';
