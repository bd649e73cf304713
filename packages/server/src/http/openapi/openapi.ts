import Type from 'typebox';
import type { Declaration } from '../../kernel/operation.ts';
import { OperatorProblem, type Problem, type ProblemCode, problemTitles } from '../../kernel/problem-details.ts';
import { RevisionTag, textFormats } from '../../kernel/text.ts';
import { formMediaType } from '../body/form-body.ts';
import { wholeCodings } from '../body/header-fields.ts';
import { jsonMediaTypes } from '../body/json-body.ts';
import { interfaceProblemStatuses, problemMediaType, problemStatuses } from '../problem/problem.ts';
import { exampleProblem } from '../problem/problem-examples.ts';

/** The parts of an OpenAPI 3.1 operation object that are published here. */
interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: object;
  responses: Record<string, ResponseObject>;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string | undefined;
  schema: object;
}

/** An operation as an OpenAPI document describes it. */
export interface DocumentedOperation extends Pick<Declaration, 'method' | 'path'> {
  operation: OperationObject;
}

export interface ResponseObject {
  description: string;
  /** A header that is `required` is in every such response. */
  headers?: Record<string, { description: string; required?: true; schema: Type.TSchema }>;
  content?: Record<string, { schema: Type.TSchema; examples?: object; example?: unknown }>;
}

/** What a document contains apart from its operations. */
export interface DocumentFrame {
  info: object;
  servers: { url: string; description: string }[];
  securitySchemes: object;
  tags: object[];
}

export interface OpenApiDocument extends Omit<DocumentFrame, 'securitySchemes'> {
  openapi: string;
  paths: Record<string, Record<string, unknown>>;
  /** Requests that the registry sends. */
  webhooks?: unknown;
  components: { securitySchemes: object; schemas: Record<string, unknown>; [kind: string]: object };
}

interface DocumentOptions {
  webhooks?: object;
  /** Components that the operations or webhooks refer to. */
  components?: { parameters?: object; responses?: object; examples?: object };
  /** Whether headers, parameters and problems that several operations have become components. */
  shares?: boolean;
}

/**
 * The OpenAPI 3.1 document of some operations, from the schemas that validate the requests. A schema with an `$id`
 * becomes a component of that name.
 */
export function openApiDocument(
  { securitySchemes, ...frame }: DocumentFrame,
  operations: DocumentedOperation[],
  { webhooks, components = {}, shares = false }: DocumentOptions = {},
): OpenApiDocument {
  const schemas: Record<string, unknown> = {};
  const described = operations.map((one) => ({ ...one, operation: hoist(one.operation, schemas) as OperationObject }));
  const shared = shares ? shareComponents(described) : { operations: described };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, operation } of shared.operations) {
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    ...frame,
    paths,
    ...(webhooks && { webhooks: hoist(webhooks, schemas) }),
    components: {
      securitySchemes,
      schemas,
      ...components,
      ...('headers' in shared && {
        headers: shared.headers,
        parameters: { ...components.parameters, ...shared.parameters },
        responses: { ...components.responses, ...shared.responses },
      }),
    },
  };
}

/** Most operations have most of these: written out in each of them, they would be most of the document. */
function shareComponents(operations: DocumentedOperation[]) {
  const ofAll = operations.flatMap(({ operation }) => Object.values(operation.responses));
  const headers = new Shared(
    'headers',
    ofAll.flatMap(({ headers = {} }) => Object.values(headers)),
  );
  const withHeaders = (response: ResponseObject): ResponseObject => ({
    ...response,
    headers: mapValues(response.headers ?? {}, (header, name) =>
      headers.refer(header.required ? name : `${name}-optional`, header),
    ),
  });
  const parameters = new Shared(
    'parameters',
    operations.flatMap(({ operation }) => operation.parameters),
  );
  const responses = new Shared(
    'responses',
    ofAll.filter(({ content = {} }) => problemMediaType in content).map(withHeaders),
  );
  const shared = operations.map(({ path, operation, ...one }) => ({
    ...one,
    path,
    operation: {
      ...operation,
      parameters: operation.parameters.map((parameter) => parameters.refer(parameterName(parameter, path), parameter)),
      responses: mapValues(operation.responses, (one) => responses.refer(problemName(one), withHeaders(one))),
    },
  }));
  return {
    operations: shared,
    ...{ headers: headers.components, parameters: parameters.components, responses: responses.components },
  };
}

/** The values of a kind that occur more than once, by their names as components. */
class Shared<Value extends object> {
  readonly components: Record<string, Value> = {};
  readonly #kind: string;
  readonly #repeated: Set<string>;

  constructor(kind: string, values: Value[]) {
    this.#kind = kind;
    const texts = values.map((value) => JSON.stringify(value));
    this.#repeated = new Set(texts.filter((text, at) => texts.indexOf(text) < at));
  }

  /** A reference to the component of this name, or the value itself if it occurs once. */
  refer(name: string, value: Value): Value {
    const text = JSON.stringify(value);
    if (!this.#repeated.has(text)) return value;
    // Lists have parameters of the same name, such as the times of different fields.
    const isOther = (unique: string) => unique in this.components && JSON.stringify(this.components[unique]) !== text;
    let unique = name;
    for (let number = 2; isOther(unique); number += 1) unique = `${name}-${number}`;
    this.components[unique] = value;
    return { $ref: `#/components/${this.#kind}/${unique}` } as unknown as Value;
  }
}

/** Such as `apps-id` for the id in `/apps/:id`. */
function parameterName({ name, in: place, required }: Parameter, path: string): string {
  if (place !== 'path') return required ? `${name}-required` : name;
  return `${/([\w-]+)\/$/.exec(path.split(`:${name}`)[0] ?? '')?.[1]}-${name}`;
}

/** The codes of a problem, such as `precondition_failed`. */
function problemName({ headers = {}, content }: ResponseObject): string {
  const codes = Object.keys(content?.[problemMediaType]?.examples ?? {});
  return [...codes, ...('Idempotency-Replayed' in headers ? ['replayed'] : [])].join('-');
}

function mapValues<Value, Result>(
  values: Record<string, Value>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

interface ProblemResponseOptions {
  schema: typeof Problem | typeof OperatorProblem;
  /** The example object of a problem, or a reference to one; by default an object. */
  example?: (code: ProblemCode) => object;
  /** The headers of a response beside those that all have, by its status. */
  headers: Partial<Record<number, NonNullable<ResponseObject['headers']>>>;
  /** Those of every refusal. */
  everywhere?: NonNullable<ResponseObject['headers']>;
  /** Those of a refusal after the request was authenticated. */
  common?: NonNullable<ResponseObject['headers']>;
}

/** The responses of an operation that can be refused with these codes, each with its example. */
export function problemResponses(
  codes: readonly ProblemCode[],
  { schema, example = exampleOf, headers, everywhere = {}, common = {} }: ProblemResponseOptions,
): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  const statuses = schema === OperatorProblem ? problemStatuses : interfaceProblemStatuses;
  for (const [status, ofStatus] of Map.groupBy(codes, (code) => statuses[code])) {
    const [title] = ofStatus.map((code) => problemTitles[code]);
    responses[status] = {
      description: `${title}: ${ofStatus.map((code) => `\`${code}\``).join(', ')}.`,
      headers: { ...commonHeaders, ...everywhere, ...(status !== 401 && common), ...headers[status] },
      content: {
        [problemMediaType]: { schema, examples: Object.fromEntries(ofStatus.map((code) => [code, example(code)])) },
      },
    };
  }
  return responses;
}

function exampleOf(code: ProblemCode): object {
  const baseUrl = 'https://apps.example.com';
  return { value: exampleProblem({ baseUrl, operatorBaseUrl: baseUrl }, code, interfaceProblemStatuses[code]) };
}

/** The headers of every response. */
export const commonHeaders: NonNullable<ResponseObject['headers']> = {
  'X-Request-Id': {
    description: 'Identifies this request; include it when you report a problem.',
    required: true,
    schema: Type.String({ format: 'uuid' }),
  },
  'Cache-Control': {
    description: 'The response must not be cached.',
    required: true,
    schema: Type.String({ examples: ['no-store'] }),
  },
};

/** Moves the schemas of a name to the components, and says each format of our own as its pattern. */
function hoist(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $id, ...fields } = withPattern({ ...value });
  const hoisted = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, hoist(field, schemas)]));
  if (typeof $id !== 'string') return hoisted;
  schemas[$id] = hoisted;
  return { $ref: `#/components/schemas/${$id}` };
}

function withPattern(schema: Record<string, unknown>): Record<string, unknown> {
  const { format, ...rest } = schema;
  const own = typeof format === 'string' ? textFormats[format] : undefined;
  return own ? { ...rest, pattern: own.pattern } : schema;
}

export type Headers = NonNullable<ResponseObject['headers']>;

export const appIdParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The app ID.',
  schema: Type.String({ examples: ['app_01jq3v9y6ae0xv5m6b7k8c9d0e'] }),
};

/** Of any response to a request that counts against a quota. */
export function quotaHeaders(name: 'updates' | 'reads' | 'requests'): Headers {
  const perMinute = name === 'requests' ? 600 : 120;
  return {
    RateLimit: {
      description: 'The remaining quota of this token (IETF RateLimit fields). Absent if there is no limit.',
      schema: Type.String({ examples: [`"${name}";r=${perMinute - 3};t=42`] }),
    },
    'RateLimit-Policy': {
      description: 'The quota of this token. Absent if there is no limit.',
      schema: Type.String({ examples: [`"${name}";q=${perMinute};w=60`] }),
    },
  };
}

/** Those of some responses. */
export const responseHeaders = {
  authenticate: {
    'WWW-Authenticate': {
      description: 'RFC 6750.',
      required: true,
      schema: Type.String({ examples: ['Bearer realm="app-registry", error="invalid_token"'] }),
    },
  },
  /** Where only some refusals have it. */
  scope: {
    'WWW-Authenticate': {
      description: 'RFC 6750. Present when the token lacks a scope.',
      schema: Type.String({ examples: ['Bearer realm="app-registry", error="insufficient_scope"'] }),
    },
  },
  location: {
    Location: {
      description: 'The path of the new object.',
      required: true,
      schema: Type.String({ examples: ['/operator/v1/apps/app_01jq3v9y6ae0xv5m6b7k8c9d0e'] }),
    },
  },
  retryAfter: {
    'Retry-After': {
      description: 'The number of seconds to wait before a retry.',
      required: true,
      schema: Type.Integer({ minimum: 0, examples: [1] }),
    },
  },
  /** Of a response that is compressed as a whole, if the client accepts that. */
  wholeCoding: {
    'Content-Encoding': {
      description: 'Present when the body is compressed, as `Accept-Encoding` allows.',
      schema: Type.Unsafe<'br' | 'gzip'>({ type: 'string', enum: wholeCodings, examples: ['br'] }),
    },
  },
  etag: {
    ETag: {
      description:
        'Identifies the revision of the content that the developer edits. Send it as `If-Match` with the next update.',
      required: true,
      schema: RevisionTag,
    },
  },
  replayed: {
    'Idempotency-Replayed': {
      description: 'Present when this is a replay of the first response to an `Idempotency-Key`.',
      schema: Type.Unsafe<'true'>({ type: 'string', enum: ['true'], examples: ['true'] }),
    },
  },
  acceptPatch: {
    'Accept-Patch': {
      description: 'The media types that an update accepts.',
      required: true,
      schema: Type.String({ examples: [jsonMediaTypes.join(', ')] }),
    },
  },
  acceptEncoding: {
    'Accept-Encoding': {
      description: 'Present when the body had a content coding, which is not accepted.',
      schema: Type.String({ examples: ['identity'] }),
    },
  },
  accept: {
    Accept: {
      description: 'The media type that the body must have.',
      required: true,
      schema: Type.String({ examples: ['application/json', formMediaType] }),
    },
  },
  unbuffered: {
    'X-Accel-Buffering': {
      description: 'Disables buffering in nginx, so that each event arrives immediately.',
      required: true,
      schema: Type.String({ examples: ['no'] }),
    },
  },
} satisfies Record<string, Headers>;
