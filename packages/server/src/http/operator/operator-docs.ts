import { operatorOperations } from '../../features/operations.ts';
import type { OperatorOperation } from '../../kernel/operation.ts';
import type { Route } from '../listener/route.ts';
import { type ReferencePage, readReference, referenceRoutes, slug } from '../openapi/reference-page.ts';
import { argumentName, bodyName, camelCase, methodName } from './client-calls.ts';

const exampleBaseUrl = 'http://127.0.0.1:8081';

/** The pages of the documentation that begin the page of a resource; the reference itself is the first page. */
const guides: Record<string, string | null> = {
  'operator-api.md': null,
  'reviewing.md': 'review-queue',
  'webhooks.md': 'webhooks',
  'events.md': 'events',
};
export const operatorPages = Object.keys(guides);

/**
 * The reference of the operator API: the rules and problems of all operations on the first page, and a page for each
 * resource, with its operations and objects. Each problem code has its anchor on the first page, also those of the public
 * interface: this listener can respond with any of them.
 */
export function operatorDocsRoutes(
  { operatorBaseUrl }: { operatorBaseUrl: string },
  describe: () => object,
  resources: readonly { name: string }[],
): Route[] {
  let reference: OperatorReference | undefined;
  const page = (title: string, write: (reference: OperatorReference) => string): ReferencePage => ({
    title,
    markdown: () => {
      reference ??= new OperatorReference(describe() as PublishedDocument);
      return write(reference).replaceAll(exampleBaseUrl, operatorBaseUrl);
    },
  });
  const pages = resources.map(({ name }) => [name, page(titleOf(name), (written) => written.resource(name))] as const);
  return referenceRoutes(
    page('Operator API', (written) => written.start()),
    new Map(pages),
  );
}

/** Such as `Review queue`. */
function titleOf(resource: string): string {
  return resource.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
}

/** The parts of an OpenAPI document that the pages show. */
interface PublishedDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, PublishedOperation>>;
  components: { schemas: Record<string, object> };
}

interface PublishedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean; description?: string; schema: object }[];
  requestBody?: { content: Record<string, { schema: object; example?: object }> };
  responses: Record<string, PublishedResponse>;
}

interface PublishedResponse {
  headers?: object;
  content?: Record<string, { schema: object; examples?: object }>;
}

interface NamedOperation extends PublishedOperation {
  method: string;
  path: string;
}

const problemMediaType = 'application/problem+json';
/** The header fields of every response, which the first page explains. */
const commonFields = ['X-Request-Id', 'Cache-Control', 'RateLimit', 'RateLimit-Policy', 'Content-Encoding'];

/** An OpenAPI document as the Markdown of several pages. A link to another page has its path, any other only an anchor. */
class OperatorReference {
  readonly #document: PublishedDocument;
  readonly #operations: NamedOperation[];
  /** Problems of all operations, which each page lists once. */
  readonly #commonCodes: string[];
  /** The page of each schema, by its name. */
  readonly #pageOfSchema: Map<string, string>;

  constructor(document: PublishedDocument) {
    this.#document = document;
    this.#operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    );
    const [first = [], ...others] = this.#operations.map((operation) => codesOf(operation).map(({ code }) => code));
    this.#commonCodes = first.filter((code) => others.every((codes) => codes.includes(code)));
    this.#pageOfSchema = this.#placeSchemas();
  }

  /** The first page. */
  start(): string {
    const operations = new Map(this.#operations.map((one) => [`${one.method} ${one.path}`, one]));
    const text = guideText('operator-api.md').replaceAll(/^\| `([A-Z]+) (\/\S+)` \|/gm, (row, method, path) => {
      const operation = operations.get(`${method} /operator/v1${path}`);
      return operation ? `| [\`${method} ${path}\`](${addressOf(operation)}) |` : row;
    });
    return within('/docs', [text, ...this.#objects('')].join('\n\n'));
  }

  /** The page of a resource. */
  resource(name: string): string {
    const guide = Object.keys(guides).find((file) => guides[file] === name);
    const { description } = this.#document.tags.find((tag) => tag.name === name) ?? { description: '' };
    const sections = this.#operations
      .filter(({ tags }) => tags.includes(name))
      .map((operation) => this.#operationSection(operation));
    const parts = [
      // An object can have the name of its resource, whose anchor is its own.
      guide === undefined ? `# ${titleOf(name)}: operations and objects\n\n${description}` : guideText(guide),
      '## Every operation',
      `Each can also be refused with ${problemLinks(this.#commonCodes)}.`,
      ...sections,
      ...this.#objects(name),
    ];
    return within(`/docs/${name}`, parts.join('\n\n'));
  }

  #operationSection(operation: NamedOperation): string {
    const { method, path, summary, description, parameters, requestBody } = operation;
    return [
      `### ${summary}`,
      `\`${method} ${path}\``,
      // A description that only repeats the heading is omitted.
      description.replace(`${summary}.\n\n`, ''),
      this.#callers(operation),
      ...(parameters.length > 0 ? [this.#parameterTable(parameters)] : []),
      ...(requestBody ? this.#bodyParts(requestBody) : []),
      this.#responseTable(operation),
    ].join('\n\n');
  }

  /** The command and the method of the client. */
  #callers(operation: NamedOperation): string {
    const operations: Record<string, OperatorOperation & { command?: { name: string; examples?: readonly string[] } }> =
      operatorOperations;
    const command = operations[operation.operationId]?.command;
    const rows = [
      ...(command ? [`| Command | \`app-registry ${command.name}\` |`] : []),
      `| Client | \`${this.#clientCall(operation)}\` |`,
    ];
    const examples = command?.examples?.slice(0, 2) ?? [];
    return [
      ['| Call | |', '|---|---|', ...rows].join('\n'),
      ...(examples.length > 0 ? [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``] : []),
    ].join('\n\n');
  }

  #clientCall({ operationId, path, parameters, method, requestBody }: NamedOperation): string {
    const groups = this.#document.tags.map(({ name }) => camelCase(name));
    const { group, name } = methodName(operationId, groups);
    const [body] = Object.values(requestBody?.content ?? {});
    const query = method === 'GET' && parameters.some((parameter) => parameter.in === 'query');
    const given = [
      ...parameters.filter((one) => one.in === 'path').map((one) => argumentName(one.name, path, group)),
      ...(body ? [bodyName(nameIn(body.schema) ?? 'Body')] : []),
      ...(query ? ['query'] : []),
    ];
    return `operator.${group === undefined ? '' : `${group}.`}${name}(${given.join(', ')})`;
  }

  #parameterTable(parameters: PublishedOperation['parameters']): string {
    const rows = parameters.map(
      ({ name, in: location, required, description, schema }) =>
        `| \`${name}\` | ${location} | ${required ? 'required' : 'optional'} | ${this.#typeOf(schema)} | ${notesOf({ ...schema, description })} |`,
    );
    return ['| Parameter | In | | Type | |', '|---|---|---|---|---|', ...rows].join('\n');
  }

  #bodyParts({ content }: NonNullable<PublishedOperation['requestBody']>): string[] {
    const types = Object.keys(content).map((type) => `\`${type}\``);
    const [{ schema, example } = { schema: {} }] = Object.values(content);
    return [
      `The body is ${this.#typeOf(schema)}, as ${types.join(' or ')}${example ? ':' : '.'}`,
      ...(example ? [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``] : []),
    ];
  }

  #responseTable(operation: NamedOperation): string {
    const done = Object.entries(operation.responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, response]) => `| ${status} | ${this.#contentOf(response)} | ${fieldsOf(response)} |`);
    const codes = codesOf(operation).filter(({ code }) => !this.#commonCodes.includes(code));
    const refused = [...Map.groupBy(codes, ({ status }) => status)].map(
      ([status, ofStatus]) => `| ${status} | ${problemLinks(ofStatus.map(({ code }) => code))} | |`,
    );
    return ['| Response | Body or problem | Header fields |', '|---|---|---|', ...done, ...refused].join('\n');
  }

  #contentOf({ content = {} }: PublishedResponse): string {
    const stream = content['text/event-stream'];
    if (stream) return `a stream of server-sent events, whose data is each ${this.#typeOf(stream.schema)} in JSON`;
    return this.#typeOf(content['application/json']?.schema ?? {});
  }

  /** The schemas of a page, each as a table of its fields. */
  #objects(page: string): string[] {
    const names = Object.keys(this.#document.components.schemas).filter(
      (name) => this.#pageOfSchema.get(name) === page,
    );
    if (names.length === 0) return [];
    return ['## Every object', ...names.toSorted().map((name) => this.#schemaSection(name))];
  }

  #schemaSection(name: string): string {
    const schema: Schema = this.#document.components.schemas[name] ?? {};
    const { description, properties } = schema;
    const parts = [`### ${name}`, ...(description ? [description] : [])];
    const fields = ['| Field | Type | | |', '|---|---|---|---|', ...this.#rows(schema, '')].join('\n');
    return [...parts, properties ? fields : `One of ${this.#typeOf(schema)}.`].join('\n\n');
  }

  /** The fields of an object without a section of its own follow it. */
  #rows({ properties = {}, required = [] }: Schema, path: string): string[] {
    return Object.entries(properties).flatMap(([name, field]) => {
      const need = required.includes(name) ? 'required' : 'optional';
      const row = `| \`${path}${name}\` | ${this.#typeOf(field)} | ${need} | ${notesOf(field)} |`;
      return [row, ...this.#rows(field, `${path}${name}.`)];
    });
  }

  /** The type of a value in a few words, and in a link when it has a section of its own. */
  #typeOf(schema: object): string {
    const { $ref, type, enum: values, const: value, anyOf, items }: Schema = schema;
    if ($ref) return this.#link(nameIn(schema) ?? '');
    if (value !== undefined) return `\`${value}\``;
    if (anyOf) return anyOf.map((one) => this.#typeOf(one)).join(' or ');
    if (values) return values.map((one) => `\`${one}\``).join(' or ');
    if (items) return `list of ${this.#typeOf(items)}`;
    return [type ?? 'file'].flat().join(' or ');
  }

  #link(name: string): string {
    const page = this.#pageOfSchema.get(name) ?? '';
    return `[${name}](${page === '' ? '/docs' : `/docs/${page}`}#${name.toLowerCase()})`;
  }

  /** A schema is on the first page whose operations use it themselves, or else as a part of another. Problems are on that of all. */
  #placeSchemas(): Map<string, string> {
    const { tags, components } = this.#document;
    const placed = new Map<string, string>();
    const used = tags.map(({ name }) => ({
      name,
      schemas: this.#operations.filter((one) => one.tags.includes(name)).flatMap(refsBesideProblems),
    }));
    for (const { name, schemas } of used)
      for (const schema of schemas) if (!placed.has(schema)) placed.set(schema, name);
    // A map also visits what is added to it meanwhile.
    for (const [schema, page] of placed)
      for (const part of refsIn(components.schemas[schema])) if (!placed.has(part)) placed.set(part, page);
    for (const schema of Object.keys(components.schemas)) if (!placed.has(schema)) placed.set(schema, '');
    return placed;
  }
}

/** A page of the documentation as a part of the reference: without pictures, and with links to the reference only. */
function guideText(file: string): string {
  return readReference(file)
    .replaceAll(/^<picture>.*\n/gm, '')
    .replaceAll(/\[([^\]]+)\]\(([\w-]+\.md)(#[\w-]+)?\)/g, (_link, text: string, target: string, anchor = '') => {
      const page = guides[target];
      if (page === undefined) return text;
      return `[${text}](${page === null ? '/docs' : `/docs/${page}`}${anchor})`;
    });
}

/** Shortens the links of a page to itself. */
function within(path: string, markdown: string): string {
  return markdown.replaceAll(`](${path}#`, '](#');
}

function addressOf({ tags, summary }: NamedOperation): string {
  return `/docs/${tags[0]}#${slug(summary)}`;
}

/** The problems of an operation, by their status. */
function codesOf({ responses }: PublishedOperation): { status: string; code: string }[] {
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.keys(content[problemMediaType]?.examples ?? {}).map((code) => ({ status, code })),
  );
}

function refsBesideProblems({ responses, ...operation }: PublishedOperation): string[] {
  return refsIn([operation, Object.entries(responses).filter(([status]) => Number(status) < 400)]);
}

/** The header fields of a response beside those of every response. */
function fieldsOf({ headers = {} }: PublishedResponse): string {
  const names = Object.keys(headers).filter((name) => !commonFields.includes(name));
  return names.map((name) => `\`${name}\``).join(', ');
}

function problemLinks(codes: string[]): string {
  return codes.map((code) => `[\`${code}\`](/docs#${code})`).join(', ');
}

/** The names of the schemas that a value refers to. */
function refsIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
}

/** The name of a schema that is a reference. */
function nameIn({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

/** The description and the bounds of a value. */
function notesOf(schema: object): string {
  const { description, minLength, maxLength, minimum, maximum }: Schema = schema;
  const bounds = [range(minLength, maxLength, ' characters'), range(minimum, maximum, '')].filter(Boolean);
  return [description, ...bounds].filter(Boolean).join(' ').replaceAll('|', '\\|');
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  if (max !== undefined) return `${min ?? 0} to ${max}${unit}.`;
  return min === undefined ? undefined : `At least ${min}${unit}.`;
}
