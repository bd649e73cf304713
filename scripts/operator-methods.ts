import type { JSONSchema } from 'json-schema-to-typescript';
import {
  argumentName,
  camelCase,
  methodName,
  pascalCase,
  singular,
} from '../packages/server/src/http/operator/client-calls.ts';

/** An OpenAPI document, as far as the client derives from it. */
export interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, JSONSchema> };
}

interface DocumentedOperation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JSONSchema;
}

interface Content {
  content?: Record<string, { schema: { $ref: string } }>;
}

/** One method of the operator client. */
export interface OperatorMethod {
  operationId: string;
  /** The group of the client that it belongs to, such as `apps`; undefined for a method of the client itself. */
  group: string | undefined;
  name: string;
  description: string;
  httpMethod: string;
  /** The segments of the path after `/operator/v1`. A parameter is in braces. */
  path: string[];
  /** The parameters of the path in order; `argument` is what the method calls it. */
  pathParameters: (Parameter & { argument: string })[];
  query: Parameter[];
  ifMatch: boolean;
  /** The type of the body is the name of its schema. */
  body: { type: string; isForm: boolean; isOptional: boolean } | undefined;
  result: OperatorResult;
}

/**
 * The type of a response, or of what a stream of server-sent events consists of. A list has the type of its items, and the
 * type of what a page has besides them. One with a `view` has another type for items that it shows in full.
 */
export type OperatorResult =
  | { kind: 'object' | 'stream'; type: string }
  | { kind: 'list'; type: string; fullType: string | undefined; page: string; beside: string | undefined };

/** The method of each operation, in the order of the document. */
export function operatorMethods(document: Document): OperatorMethod[] {
  const groups = groupsOf(document);
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([httpMethod, operation]) => ({
      ...requestOf(path, httpMethod, operation, groups),
      result: resultOf(operation, document),
    })),
  );
}

/** The collections of the API, each with its operations. */
function groupsOf({ tags }: Document): string[] {
  return tags.map(({ name }) => camelCase(name));
}

function requestOf(
  path: string,
  httpMethod: string,
  operation: DocumentedOperation,
  groups: string[],
): Omit<OperatorMethod, 'result'> {
  const { operationId, parameters = [], requestBody } = operation;
  const { group, name } = methodName(operationId, groups);
  const bodyTypes = Object.entries(requestBody?.content ?? {});
  const segments = path.split('/').slice(3);
  return {
    operationId,
    group,
    name,
    description: descriptionOf(operation),
    httpMethod: httpMethod.toUpperCase(),
    path: segments,
    pathParameters: parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => ({ ...parameter, argument: argumentName(parameter.name, path, group) })),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    ifMatch: parameters.some(({ name }) => name === 'If-Match'),
    body: bodyTypes[0] && {
      type: typeName(bodyTypes[0][1].schema),
      isForm: bodyTypes[0][0] === 'multipart/form-data',
      isOptional: !requestBody?.required,
    },
  };
}

/** A document repeats a summary that says everything. */
function descriptionOf({ summary, description }: DocumentedOperation): string {
  const text = description.startsWith(`${summary}.`) ? description : `${summary}. ${description}`;
  return text.replaceAll(/\s+/g, ' ');
}

function resultOf({ operationId, responses }: DocumentedOperation, { components }: Document): OperatorResult {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const [mediaType, response] = Object.entries(success?.content ?? {})[0] ?? [];
  if (!response) throw new Error(`${operationId} has no response that the client can read.`);
  const schema = typeName(response.schema);
  if (mediaType === 'text/event-stream') return { kind: 'stream', type: schema };
  const page = components.schemas[schema];
  const items = page?.properties?.items?.items as { $ref: string; anyOf?: { $ref: string }[] };
  // The feed has no last page.
  const isEndless = Array.isArray(page?.required) && page.required.includes('nextCursor');
  if (!page?.properties?.nextCursor || isEndless) return { kind: 'object', type: schema };
  const [full, summary] = items.anyOf ?? [];
  return {
    kind: 'list',
    type: typeName(summary ?? items),
    fullType: full && typeName(full),
    page: schema,
    beside: besideType(schema, components),
  };
}

/** The fields of a page besides its items and cursors. */
export function besideFields(page: JSONSchema): Record<string, JSONSchema> {
  const { items: _, nextCursor: _next, prevCursor: _previous, ...beside } = page.properties ?? {};
  return beside;
}

function besideType(page: string, { schemas }: Document['components']): string | undefined {
  const names = Object.keys(besideFields(schemas[page] ?? {}));
  if (names.length === 0) return undefined;
  return { 'total,estimatedTotal': 'Total', actors: 'Actors' }[names.join()] ?? `${page}Fields`;
}

/** The type of a schema, most often of the same name. */
export function typeName({ $ref }: { $ref: string }): string {
  const name = $ref.replace('#/components/schemas/', '');
  return name === 'Event' ? 'AppRegistryEvent' : name;
}

/** A method as code calls it, such as `apps.approve`. */
export function fullName({ group, name }: OperatorMethod): string {
  return group === undefined ? name : `${group}.${name}`;
}

/** The name of the type of a query: `ReviewQueueQuery` for `listReviewQueue`. */
export function queryTypeName({ operationId, query }: OperatorMethod): string {
  const common = commonQueries.find(({ names }) => hasNames(query, names));
  if (common) return common.type;
  const words = operationId.replace(/^(?:list|read)(?=[A-Z])/, '');
  return `${pascalCase(singular(words))}Query`;
}

/** The queries of many lists. Each begins with the one before. */
export const commonQueries = [
  { type: 'ListQuery', names: ['cursor', 'limit'], description: 'Which page of a list.' },
  {
    type: 'TotalQuery',
    names: ['withTotal', 'cursor', 'limit'],
    description: 'Which page of a list that can say how many items it has.',
  },
];

function hasNames(parameters: Parameter[], names: string[]): boolean {
  return parameters.length === names.length && parameters.every(({ name }) => names.includes(name));
}
