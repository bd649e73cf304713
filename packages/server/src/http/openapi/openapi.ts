import type Type from 'typebox';
import { type OperatorProblem, type Problem, type ProblemCode, problemTitles } from '../../contract/problem.ts';
import type { Route } from '../listener/route.ts';
import { problemMediaType, problemStatuses } from '../problem/problem.ts';
import { exampleProblem } from '../problem/problem-examples.ts';

/** The parts of an OpenAPI 3.1 operation that are declared here. */
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: object[];
  requestBody?: object;
  responses: Record<string, ResponseObject>;
}

/** A route with its description: what makes it part of a published interface. */
export interface Documented extends Pick<Route, 'method' | 'path'> {
  operation: Operation;
}

export interface ResponseObject {
  description: string;
  /** A header that is `required` is in every such response. */
  headers?: Record<string, { description: string; required?: true; schema: Type.TSchema }>;
  content?: Record<string, { schema: Type.TSchema; examples?: object; example?: unknown }>;
}

/** What belongs to a document apart from its routes. */
export interface DocumentFrame {
  info: object;
  servers: { url: string; description: string }[];
  securitySchemes: object;
  tags: object[];
}

/**
 * The OpenAPI 3.1 description of some routes, from the schemas that judge the requests. A schema with
 * an `$id` becomes a component of that name.
 */
export function openApiDocument({ securitySchemes, ...frame }: DocumentFrame, routes: Documented[]): object {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, operation } of routes) {
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [method.toLowerCase()]: hoist(operation, schemas) };
  }
  return { openapi: '3.1.0', ...frame, paths, components: { securitySchemes, schemas } };
}

/** The responses of an operation that can refuse with these codes, each with an example, in this schema. */
export function problemResponses(
  schema: typeof Problem | typeof OperatorProblem,
  codes: ProblemCode[],
  headers: Partial<Record<number, NonNullable<ResponseObject['headers']>>> = {},
): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  for (const status of new Set(codes.map((code) => problemStatuses[code]))) {
    const ofStatus = codes.filter((code) => problemStatuses[code] === status);
    responses[status] = {
      description: `${problemTitles[ofStatus[0] as ProblemCode]}: ${ofStatus.map((code) => `\`${code}\``).join(', ')}.`,
      headers: { ...requestIdHeader, ...headers[status] },
      content: { [problemMediaType]: { schema, examples: examplesOf(ofStatus) } },
    };
  }
  return responses;
}

export const requestIdHeader: NonNullable<ResponseObject['headers']> = {
  'X-Request-Id': {
    description: 'Names this request; say it when you ask for help.',
    required: true,
    schema: { type: 'string', format: 'uuid' } as Type.TSchema,
  },
};

function examplesOf(codes: ProblemCode[]): object {
  return Object.fromEntries(codes.map((code) => [code, { value: exampleProblem('https://apps.example.com', code) }]));
}

function hoist(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $id, ...members } = value as Record<string, unknown>;
  const hoisted = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, hoist(member, schemas)]));
  if (typeof $id !== 'string') return hoisted;
  schemas[$id] = hoisted;
  return { $ref: `#/components/schemas/${$id}` };
}
