import { operatorOperations } from '../../features/operations.ts';
import { type Form, type OperatorOperation, refusalsOf, takesIdempotencyKey } from '../../kernel/operation.ts';
import { OperatorProblem } from '../../kernel/problem-details.ts';
import { formMediaType } from '../body/form-body.ts';
import { jsonTypesOf } from '../body/json-body.ts';
import {
  commonHeaders,
  type DocumentedOperation,
  type OpenApiDocument,
  openApiDocument,
  type Parameter,
  problemResponses,
  quotaHeaders,
  responseHeaders,
} from '../openapi/openapi.ts';
import { webhookComponents, webhookRequests } from '../openapi/webhook-requests.ts';
import type { ProblemDocs } from '../problem/problem.ts';
import { exampleProblem } from '../problem/problem-examples.ts';
import { eventStreamMediaType } from './operation-route.ts';

/** The OpenAPI entry of an operation. Its problem examples are components of the document, common to all operations. */
function describeOperation(operationId: string, operation: OperatorOperation): DocumentedOperation {
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
    returnsSecret,
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
        requestBody: { required: !isBodyOptional, content: jsonContent(operation, bodyExamples[operationId]) },
      }),
      ...(form && { requestBody: { required: true, content: formContent(form) } }),
      responses: {
        [creates ? 201 : 200]: {
          description: creates ? 'Created.' : 'Done.',
          headers: {
            ...commonHeaders,
            ...quotaHeaders('requests'),
            ...(!streams && !returnsSecret && responseHeaders.wholeCoding),
            ...(takesIdempotencyKey(operation) && responseHeaders.replayed),
            ...(hasTag(response) && responseHeaders.etag),
            ...(creates && responseHeaders.location),
            ...(streams && responseHeaders.unbuffered),
          },
          content: { [streams ? eventStreamMediaType : 'application/json']: { schema: response } },
        },
        ...problemResponses(refusalsOf(operation), {
          schema: OperatorProblem,
          example: (code) => ({ $ref: `#/components/examples/${code}` }),
          everywhere: responseHeaders.wholeCoding,
          common: { ...quotaHeaders('requests'), ...(takesIdempotencyKey(operation) && responseHeaders.replayed) },
          headers: {
            401: responseHeaders.authenticate,
            403: responseHeaders.scope,
            ...(ifMatch && { 412: responseHeaders.etag }),
            ...(method !== 'GET' && {
              415: {
                ...(method === 'PATCH' ? responseHeaders.acceptPatch : responseHeaders.accept),
                ...responseHeaders.acceptEncoding,
              },
            }),
            429: responseHeaders.retryAfter,
            503: responseHeaders.retryAfter,
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

function jsonContent({ method, body: schema }: OperatorOperation, example?: object) {
  return Object.fromEntries(jsonTypesOf(method).map((type) => [type, { schema, ...(example && { example }) }]));
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

/** Whether a response carries a tag, for an If-Match. */
function hasTag({ properties = {} }: { properties?: object }): boolean {
  return 'etag' in properties;
}

function headerParameters(operation: OperatorOperation): Parameter[] {
  const { ifMatch, streams } = operation;
  return [
    ...(takesIdempotencyKey(operation)
      ? [{ ...headerParameter, name: 'Idempotency-Key', description: keyDescription }]
      : []),
    ...(ifMatch ? [{ ...headerParameter, name: 'If-Match', description: matchDescription }] : []),
    ...(streams ? [{ ...headerParameter, name: 'Last-Event-ID', description: lastEventIdDescription }] : []),
  ];
}

const headerParameter = { in: 'header', required: false, schema: { type: 'string' } };
const keyDescription =
  'A unique key for this request. For 24 hours, a retry with the same key receives the first response. Ignored on a dry run.';
const matchDescription =
  'The `ETag` of the resource that the caller has read. If it has changed since, the response is 412.';
const lastEventIdDescription =
  'The id of the last message of an earlier stream, which this one continues. Browsers send it when they reconnect.';

/** Descriptions of parameters whose schemas have none. */
const descriptions: Record<string, string> = {
  appId: 'The id of the app, as a TypeID or UUID.',
  developerId: 'The user id of the developer, as a TypeID or UUID.',
  kind: 'Only tokens of this kind.',
  limit: 'The maximum number of items. Default: 20.',
  revision: 'The revision: its number, its `ETag`, or a UTC time at which it was current.',
  status: 'Only apps with this review status.',
  userId: 'The id of the user, as a TypeID or UUID.',
  workspaceId: 'The id of the workspace, as a TypeID or UUID.',
};

const examples: Record<string, string> = {
  apps: 'app_01jq3v9y6ae0xv5m6b7k8c9d0e',
  deliveries: 'delivery_01jq3w6p4me8xv1c3y9r5q2f7g',
  developers: 'user_01jq3v8nbtf4mrk6d2m3wz5x7c',
  installations: 'installation_01jq3w3k1hf5tr8z0v6n2m9c4d',
  notes: 'note_01jq3w6p4me8xv1c3y9r5q2f7g',
  'protected-names': 'protected_01jq3w5n3kf7wt0b2x8q4p1e6f',
  'reason-templates': 'template_01jq3w6p4me8xv1c3y9r5q2f7g',
  logos: 'logo_01jq3va2c8f0ntb5m6b7k8c9d0',
  revisions: '7',
  tokens: 'token_01jq3w4m2je6vs9a1w7p3n0d5e',
  webhooks: 'webhook_01jq3w5n3kf7wt0b2x8q4p1e6f',
  workspaces: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0',
};

/** The parameters of a path, such as the `id` of `/operator/v1/apps/:id`. */
function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/(\w+)\/:(\w+)/g)].map(([, collection = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: descriptions[name] ?? `The id, as listed by ${collection}.`,
    schema: { type: 'string', ...(examples[collection] && { examples: [examples[collection]] }) },
  }));
}

/** The parameters of a query, by its schema. */
function queryParameters({ properties = {}, required = [] }: QuerySchema): Parameter[] {
  return Object.entries(properties).map(([name, { description = descriptions[name], ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

interface QuerySchema {
  properties?: Record<string, { description?: string }>;
  required?: readonly string[];
}

const reviewedTag = '"7.5f0c1a9e.Vb2xq0m9K3Ty"';

const app = 'app_01jq3v9y6ae0xv5m6b7k8c9d0e';
const developer = 'user_01jq3v8nbtf4mrk6d2m3wz5x7c';

/** A body for each operation that takes JSON, by its id. */
export const bodyExamples: Record<string, object> = {
  createDeveloper: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
  updateDeveloper: { email: 'ada@lovelace.example', lastName: null },
  suspendDeveloper: { reason: 'The apps send customer data elsewhere.' },
  createApp: {
    developerId: developer,
    name: 'Invoice Sync',
    listingInfo: { shortDescription: 'Keeps invoices and ledgers in step.', backgroundColor: '#0b5fff' },
    oauthInfo: { callbackUrl: 'https://invoice-sync.example/oauth/callback' },
  },
  updateApp: { name: 'Invoice Sync', listingInfo: { longDescription: null } },
  transferApp: { developerId: developer },
  createProtectedName: { name: 'Acme', developerIds: [developer], note: 'A trademark: ask for the licence.' },
  updateProtectedName: { developerIds: [developer], note: null },
  claimApp: { takeOver: true },
  createAppNote: { text: 'The same sender as last week: look at the host of the callback URL.' },
  createReasonTemplate: {
    title: 'Callback does not respond',
    message: 'The callback URL does not respond. Fix it and submit the app again.',
    code: 'broken_address',
  },
  updateReasonTemplate: { title: 'Callback is refused', code: null },
  approveApp: { revision: reviewedTag, message: 'Welcome to the marketplace.' },
  rejectApp: {
    revision: reviewedTag,
    code: 'broken_address',
    message: 'The callback URL does not respond.',
    fields: [{ pointer: '/oauthInfo/callbackUrl', message: 'It responds with 404.' }],
    note: 'Tried it from two networks.',
  },
  rejectAppChange: { revision: reviewedTag, code: 'misleading', message: 'The new name is that of another product.' },
  revokeApp: { code: 'spam', message: 'It sends customer data elsewhere.', disableInstallations: true },
  revertApp: { toApproved: true, reason: 'The account of the developer was taken over.' },
  createInstallation: {
    appId: app,
    workspaceId: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0',
    userId: 'user_01jq3w2x9ge6ab5m6b7k8c9d0e',
  },
  blockLogo: { reason: 'It shows a foreign trademark.' },
  createToken: { kind: 'operator', scopes: ['review'], name: 'Grace, reviewer', expiresIn: 2_592_000 },
  rotateToken: { overlap: 604_800 },
  createWebhook: {
    url: 'https://hooks.example.com/app-registry',
    name: 'Billing',
    types: ['installation.created', 'installation.deleted'],
  },
  updateWebhook: { url: 'https://hooks.example.com/apps', types: null },
  redeliverWebhook: { since: '2026-03-01T09:30:00.000Z' },
  updateSettings: { uniqueNames: false },
};

/** What the operations are about: a tag of the document each, and a page of the reference. */
export const resources = [
  { name: 'overview', description: 'Counts of the whole registry.' },
  { name: 'statistics', description: 'Statistics of reviews, installations and webhooks.' },
  { name: 'search', description: 'Search by name or id.' },
  { name: 'developers', description: 'The people and companies that publish apps.' },
  { name: 'apps', description: 'Apps of all developers, and their review.' },
  { name: 'review-queue', description: 'What awaits review.' },
  { name: 'reason-templates', description: 'Reusable texts for the reasons of decisions.' },
  { name: 'protected-names', description: 'Names and hosts reserved for some developers.' },
  { name: 'installations', description: 'Installations of apps in workspaces.' },
  { name: 'workspaces', description: 'The workspaces that apps are installed in.' },
  { name: 'logos', description: 'Logos of apps.' },
  { name: 'tokens', description: 'Access tokens.' },
  { name: 'events', description: 'The history of changes: who changed what.' },
  { name: 'webhooks', description: 'Endpoints that receive events.' },
  { name: 'deliveries', description: 'Deliveries of events to webhooks.' },
  { name: 'imports', description: 'Imports of files.' },
  { name: 'settings', description: 'Settings shared by all processes on a database.' },
  { name: 'caller', description: 'The caller of a request.' },
];

/** The OpenAPI document of the operator API. Without shared components, each operation is complete by itself. */
export function operatorDocument(
  docs: ProblemDocs,
  { shares }: { shares: boolean } = { shares: true },
): OpenApiDocument {
  const { operatorBaseUrl } = docs;
  const frame = {
    info: {
      title: 'App Registry: operator API',
      version: '1.0.0',
      summary:
        'Manages a registry: developers, apps, review, installations, logos, tokens, events, webhooks and settings.',
      description:
        'For operators and their programs. Errors are problem details (RFC 9457), as in the public interface.',
      contact: { name: 'The operator of this registry', url: `${operatorBaseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: operatorBaseUrl, description: 'The operator listener' }],
    tags: resources,
    securitySchemes: {
      operatorToken: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An access token of kind `operator`. Its scopes: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations, `admin` does everything.',
      },
    },
  };
  const codes = new Set(Object.values<OperatorOperation>(operatorOperations).flatMap(refusalsOf));
  const examples = [...codes].toSorted().map((code) => [code, { value: exampleProblem(docs, code) }]);
  return openApiDocument(frame, documentedOperations, {
    webhooks: webhookRequests,
    // Almost every problem is one of almost every operation, so operations refer to these examples.
    components: { ...webhookComponents, examples: Object.fromEntries(examples) },
    shares,
  });
}

/** Every operation of the operator API as OpenAPI describes it. */
export const documentedOperations: DocumentedOperation[] = Object.entries<OperatorOperation>(operatorOperations).map(
  ([operationId, operation]) => describeOperation(operationId, operation),
);
