import type { OperatorOperation } from '../../contract/operations/operation.ts';
import { operatorOperations } from '../../contract/operations/operator-operations.ts';
import { refusalsOf } from '../../contract/operations/refusals.ts';
import { type DocumentedOperation, type OpenApiDocument, openApiDocument } from '../openapi/openapi.ts';
import { webhookComponents, webhookRequests } from '../openapi/webhook-requests.ts';
import { exampleProblem } from '../problem/problem-examples.ts';
import { describeOperation } from './describe-operation.ts';

export interface OperatorDocumentOptions {
  /** Where the operator listener is reached, without a slash at the end. */
  operatorBaseUrl: string;
}

/** The OpenAPI document of the operator API. */
export function operatorDocument({ operatorBaseUrl }: OperatorDocumentOptions): OpenApiDocument {
  const frame = {
    info: {
      title: 'App Registry: operator API',
      version: '1.0.0',
      summary:
        'Fills and runs a registry: developers, apps, review, installations, logos, tokens, events, webhooks and settings.',
      description:
        'For the people and programs that run a registry. Every refusal is problem details (RFC 9457), as those of the public interface are.',
      contact: { name: 'The people who run this registry', url: `${operatorBaseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: operatorBaseUrl, description: 'The operator listener' }],
    tags: [
      { name: 'overview', description: 'The whole registry at a glance.' },
      { name: 'search', description: 'Everything by a part of its name, or by its id.' },
      { name: 'developers', description: 'The people whom apps belong to.' },
      { name: 'apps', description: 'Apps of any developer, and their review.' },
      { name: 'deleted-apps', description: 'Apps that were deleted, and can be restored.' },
      { name: 'reason-templates', description: 'Texts that reviewers begin a reason with.' },
      { name: 'protected-names', description: 'Names and hosts that only some developers may use.' },
      { name: 'installations', description: 'Apps in workspaces.' },
      { name: 'workspaces', description: 'What a workspace has installed.' },
      { name: 'logos', description: 'Images that apps show.' },
      { name: 'tokens', description: 'Access tokens.' },
      { name: 'events', description: 'Who changed what.' },
      { name: 'webhooks', description: 'Where events are sent.' },
      { name: 'deliveries', description: 'Events on their way to webhooks.' },
      { name: 'settings', description: 'What all processes on a database share.' },
      { name: 'caller', description: 'Who makes a request.' },
    ],
    securitySchemes: {
      operatorToken: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An access token of kind `operator`. Its scopes: `read` sees, `portal` acts for developers, `review` decides, `install` manages installations, `admin` does everything.',
      },
    },
  };
  const document = openApiDocument(frame, documentedOperations, webhookRequests);
  const examples = problemExamples(operatorBaseUrl);
  return { ...document, components: { ...document.components, ...webhookComponents, examples } };
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
