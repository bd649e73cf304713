import { operatorOperations } from '../../features/operations.ts';
import { type OperatorOperation, refusalsOf } from '../../kernel/operation.ts';
import { type DocumentedOperation, type OpenApiDocument, openApiDocument } from '../openapi/openapi.ts';
import { webhookComponents, webhookRequests } from '../openapi/webhook-requests.ts';
import { exampleProblem } from '../problem/problem-examples.ts';
import { describeOperation } from './describe-operation.ts';

export interface OperatorDocumentOptions {
  /** Where the operator listener is reached, without a slash at the end. */
  operatorBaseUrl: string;
}

/** The OpenAPI document of the operator API. Without shared components, each operation is complete by itself. */
export function operatorDocument(
  { operatorBaseUrl }: OperatorDocumentOptions,
  { shares }: { shares: boolean } = { shares: true },
): OpenApiDocument {
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
    tags: [
      { name: 'overview', description: 'Counts and statistics of the whole registry.' },
      { name: 'search', description: 'Search by name or id.' },
      { name: 'developers', description: 'The people and companies that publish apps.' },
      { name: 'apps', description: 'Apps of all developers, and their review.' },
      { name: 'deleted-apps', description: 'Deleted apps that can be restored.' },
      { name: 'reason-templates', description: 'Reusable texts for the reasons of decisions.' },
      { name: 'protected-names', description: 'Names and hosts reserved for some developers.' },
      { name: 'installations', description: 'Installations of apps in workspaces.' },
      { name: 'workspaces', description: 'The installations of a workspace.' },
      { name: 'logos', description: 'Logos of apps.' },
      { name: 'tokens', description: 'Access tokens.' },
      { name: 'events', description: 'The history of changes: who changed what.' },
      { name: 'webhooks', description: 'Endpoints that receive events.' },
      { name: 'deliveries', description: 'Deliveries of events to webhooks.' },
      { name: 'settings', description: 'Settings shared by all processes on a database.' },
      { name: 'caller', description: 'The caller of a request.' },
    ],
    securitySchemes: {
      operatorToken: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An access token of kind `operator`. Its scopes: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations, `admin` does everything.',
      },
    },
  };
  return openApiDocument(frame, documentedOperations, {
    webhooks: webhookRequests,
    components: { ...webhookComponents, examples: problemExamples(operatorBaseUrl) },
    shares,
  });
}

/** Every operation of the operator API as OpenAPI describes it. */
export const documentedOperations: DocumentedOperation[] = Object.entries<OperatorOperation>(operatorOperations).map(
  ([operationId, operation]) => describeOperation(operationId, operation),
);

/** Almost every problem is one of almost every operation, so operations refer to these examples. */
function problemExamples(operatorBaseUrl: string): object {
  const codes = new Set(Object.values<OperatorOperation>(operatorOperations).flatMap(refusalsOf));
  const examples = [...codes].toSorted().map((code) => [code, { value: exampleProblem(operatorBaseUrl, code) }]);
  return Object.fromEntries(examples);
}
