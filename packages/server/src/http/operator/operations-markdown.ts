import { notesOf, schemasMarkdown, typeOf } from './schemas-markdown.ts';

/** The parts of an OpenAPI document that the page shows. */
export interface PublishedDocument {
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
export function operationsMarkdown(document: PublishedDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  const common = commonCodes(operations);
  const sections = document.tags
    .map((tag) => ({ ...tag, operations: operations.filter(({ tags }) => tags.includes(tag.name)) }))
    .filter(({ operations }) => operations.length > 0)
    .map(({ name, description, operations }) =>
      [`### Operations on ${name}`, description, ...operations.map((operation) => operationSection(operation, common))].join(
        '\n\n',
      ),
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
