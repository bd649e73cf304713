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
export function schemasMarkdown(schemas: Record<string, object>): string {
  const sections = Object.entries(schemas)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => schemaSection(name, schema));
  return ['## Every object', ...sections].join('\n\n');
}

/** The type of a value in a few words, and in a link when it has a section of its own. */
export function typeOf(schema: object): string {
  const { $ref, type, enum: values, const: value, anyOf, items }: Schema = schema;
  if ($ref) return link($ref);
  if (value !== undefined) return `\`${value}\``;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (values) return values.map((value) => `\`${value}\``).join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  return [type ?? 'file'].flat().join(' or ');
}

/** The description and the bounds of a value. */
export function notesOf(schema: object): string {
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
