import type { ProblemCode } from '../../contract/problem.ts';
import { type Documented, openApiDocument, type ResponseObject } from '../openapi/openapi.ts';
import { problemMediaType } from '../problem/problem.ts';
import { exampleProblem } from '../problem/problem-examples.ts';

export interface OperatorDocumentOptions {
  /** Where the operator listener is reached, without a slash at the end. */
  operatorBaseUrl: string;
}

/** The OpenAPI document of the operator API. */
export function operatorDocument({ operatorBaseUrl }: OperatorDocumentOptions, operations: Documented[]): object {
  const frame = {
    info: {
      title: 'App Registry: operator API',
      version: '1.0.0',
      summary:
        'Fills and runs a registry: developers, apps, review, installations, logos, tokens, events and webhooks.',
      description:
        'For the people and programs that run a registry. Every refusal is problem details (RFC 9457), as those of the public interface are.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: operatorBaseUrl, description: 'The operator listener' }],
    tags: [
      { name: 'overview', description: 'The whole registry at a glance.' },
      { name: 'developers', description: 'The people whom apps belong to.' },
      { name: 'apps', description: 'Apps of any developer, and their review.' },
      { name: 'deleted-apps', description: 'Apps that were deleted, and can be restored.' },
      { name: 'review-queue', description: 'Apps that await review.' },
      { name: 'installations', description: 'Apps in workspaces.' },
      { name: 'workspaces', description: 'What a workspace has installed.' },
      { name: 'logos', description: 'Images that apps show.' },
      { name: 'tokens', description: 'Access tokens.' },
      { name: 'events', description: 'Who changed what.' },
      { name: 'webhooks', description: 'Where events are sent.' },
      { name: 'deliveries', description: 'Events on their way to webhooks.' },
    ],
    securitySchemes: {
      operatorToken: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An access token of kind `operator`. Its scopes: `read` sees, `portal` acts for developers, `review` decides, `admin` does everything.',
      },
    },
  };
  const { components, ...document } = openApiDocument(frame, operations.map(withoutExamples)) as { components: object };
  return { ...document, components: { ...components, examples: problemExamples(operatorBaseUrl, operations) } };
}

/** An operation that names the examples of its refusals: almost all are those of every other operation. */
function withoutExamples({ operation, ...route }: Documented): Documented {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const codes = codesOf(response);
    if (codes.length === 0) return [status, response];
    const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
    const content = { [problemMediaType]: { ...response.content?.[problemMediaType], examples } };
    return [status, { ...response, content }];
  });
  return { ...route, operation: { ...operation, responses: Object.fromEntries(responses) } };
}

function problemExamples(operatorBaseUrl: string, operations: Documented[]): object {
  const codes = new Set(operations.flatMap(({ operation }) => Object.values(operation.responses).flatMap(codesOf)));
  const examples = [...codes].toSorted().map((code) => [code, { value: exampleProblem(operatorBaseUrl, code) }]);
  return Object.fromEntries(examples);
}

function codesOf({ content }: ResponseObject): ProblemCode[] {
  return Object.keys(content?.[problemMediaType]?.examples ?? {}) as ProblemCode[];
}
