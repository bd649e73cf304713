import type { Route } from '../listener/route.ts';
import { readReference, referenceRoute } from '../openapi/reference-page.ts';

const exampleBaseUrl = 'http://127.0.0.1:8081';

/** The pages about the operator API, in their order, with the anchor of each on the page that has them all. */
const anchors = {
  'operator-api.md': 'content',
  'reviewing.md': 'reviewing-apps',
  'webhooks.md': 'webhooks',
  'events.md': 'events',
};
type OperatorPage = keyof typeof anchors;
export const operatorPages = Object.keys(anchors) as OperatorPage[];

/**
 * The pages about the operator API as one page, with every operation of its description. Each problem code
 * has its anchor, also those of the public interface: this listener can respond with any of them.
 */
export function operatorDocsRoute({ operatorBaseUrl }: { operatorBaseUrl: string }, describe: () => object): Route {
  const markdown = () => {
    const reference = operatorPages.map(sectionOf).join('\n').replaceAll(exampleBaseUrl, operatorBaseUrl);
    return `${reference}\n${operationsMarkdown(describe() as PublishedDocument)}\n`;
  };
  return referenceRoute({ title: 'App Registry: the operator API', markdown });
}

/** A page as a part of one that loads nothing: without pictures, and with links to its other parts only. */
function sectionOf(page: OperatorPage): string {
  const text = readReference(page)
    .replaceAll(/^<picture>.*\n/gm, '')
    .replaceAll(/\[([^\]]+)\]\(([\w-]+\.md)(?:#([\w-]+))?\)/g, linkWithin);
  return page === 'operator-api.md' ? text : text.replaceAll(/^#+ /gm, '#$&');
}

function linkWithin(_link: string, text: string, page: string, anchor?: string): string {
  if (!(page in anchors)) return text;
  return `[${text}](#${anchor ?? anchors[page as OperatorPage]})`;
}

/** The parts of an OpenAPI document that the page shows. */
interface PublishedDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, PublishedOperation>>;
  components: { schemas: Record<string, object> };
}

interface PublishedOperation {
  summary: string;
  description: string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean; description?: string; schema: object }[];
  requestBody?: { content: Record<string, { schema: object; example?: object }> };
  responses: Record<string, { content?: Record<string, { schema: object; examples?: object }> }>;
}

interface NamedOperation extends PublishedOperation {
  method: string;
  path: string;
}

/** Every operation of an OpenAPI document, and every object in it, as Markdown. */
function operationsMarkdown(document: PublishedDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  const common = commonCodes(operations);
  const sections = document.tags
    .map((tag) => ({ ...tag, operations: operations.filter(({ tags }) => tags.includes(tag.name)) }))
    .filter(({ operations }) => operations.length > 0)
    .map(({ name, description, operations }) =>
      [
        `### Operations on ${name}`,
        description,
        ...operations.map((operation) => operationSection(operation, common)),
      ].join('\n\n'),
    );
  const everywhere = `Each of them can be refused with ${links(common)} too.`;
  return ['## Every operation', everywhere, ...sections, schemasMarkdown(document.components.schemas)].join('\n\n');
}

/** Refusals of all operations are listed once. */
function commonCodes(operations: NamedOperation[]): string[] {
  const [first = [], ...others] = operations.map(codesOf);
  return first.filter((code) => others.every((codes) => codes.includes(code)));
}

function codesOf({ responses }: PublishedOperation): string[] {
  return Object.values(responses).flatMap(({ content = {} }) =>
    Object.keys(content['application/problem+json']?.examples ?? {}),
  );
}

function operationSection(operation: NamedOperation, common: string[]): string {
  const { method, path, summary, description, parameters, requestBody } = operation;
  const codes = codesOf(operation).filter((code) => !common.includes(code));
  return [
    `#### ${summary}`,
    `\`${method} ${path}\``,
    // A description that only repeats the heading is omitted.
    description.replace(`${summary}.\n\n`, ''),
    ...(parameters.length > 0 ? [parameterTable(parameters)] : []),
    ...(requestBody ? bodyParts(requestBody) : []),
    `Responds with ${responsesOf(operation)}.`,
    ...(codes.length > 0 ? [`Refused with ${links(codes)}.`] : []),
  ].join('\n\n');
}

function parameterTable(parameters: PublishedOperation['parameters']): string {
  const rows = parameters.map(
    ({ name, in: location, required, description, schema }) =>
      `| \`${name}\` | ${location} | ${required ? 'required' : 'optional'} | ${typeOf(schema)} | ${notesOf({ ...schema, description })} |`,
  );
  return ['| Parameter | In | | Type | |', '|---|---|---|---|---|', ...rows].join('\n');
}

function bodyParts({ content }: NonNullable<PublishedOperation['requestBody']>): string[] {
  const types = Object.keys(content).map((type) => `\`${type}\``);
  const [{ schema, example } = { schema: {} }] = Object.values(content);
  return [
    `The body is ${typeOf(schema)}, as ${types.join(' or ')}${example ? ':' : '.'}`,
    ...(example ? [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``] : []),
  ];
}

function responsesOf({ responses }: PublishedOperation): string {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { content = {} }]) => `${status} with ${contentOf(content)}`)
    .join(' or ');
}

function contentOf(content: Record<string, { schema: object }>): string {
  const stream = content['text/event-stream'];
  if (stream) return `a stream of server-sent events, whose data is each ${typeOf(stream.schema)} in JSON`;
  return typeOf(content['application/json']?.schema ?? {});
}

function links(codes: string[]): string {
  return codes.map((code) => `[\`${code}\`](#${code})`).join(', ');
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

/** Every schema of an OpenAPI document as a table of its fields. */
function schemasMarkdown(schemas: Record<string, object>): string {
  const sections = Object.entries(schemas)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => schemaSection(name, schema));
  return ['## Every object', ...sections].join('\n\n');
}

/** The type of a value in a few words, and in a link when it has a section of its own. */
function typeOf(schema: object): string {
  const { $ref, type, enum: values, const: value, anyOf, items }: Schema = schema;
  if ($ref) return link($ref);
  if (value !== undefined) return `\`${value}\``;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (values) return values.map((value) => `\`${value}\``).join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  return [type ?? 'file'].flat().join(' or ');
}

/** The description and the bounds of a value. */
function notesOf(schema: object): string {
  const { description, minLength, maxLength, minimum, maximum }: Schema = schema;
  const bounds = [range(minLength, maxLength, ' characters'), range(minimum, maximum, '')].filter(Boolean);
  return [description, ...bounds].filter(Boolean).join(' ').replaceAll('|', '\\|');
}

function schemaSection(name: string, schema: Schema): string {
  const { description, properties } = schema;
  const parts = [`### ${name}`, ...(description ? [description] : [])];
  return [...parts, properties ? table(schema) : `One of ${typeOf(schema)}.`].join('\n\n');
}

function table(schema: Schema): string {
  return ['| Field | Type | | |', '|---|---|---|---|', ...rows(schema, '')].join('\n');
}

/** The fields of an object without a section of its own follow it. */
function rows({ properties = {}, required = [] }: Schema, path: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const need = required.includes(name) ? 'required' : 'optional';
    const row = `| \`${path}${name}\` | ${typeOf(field)} | ${need} | ${notesOf(field)} |`;
    return [row, ...rows(field, `${path}${name}.`)];
  });
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  if (max !== undefined) return `${min ?? 0} to ${max}${unit}.`;
  return min === undefined ? undefined : `At least ${min}${unit}.`;
}

function link(reference: string): string {
  const name = reference.split('/').at(-1) ?? '';
  return `[${name}](#${name.toLowerCase()})`;
}
