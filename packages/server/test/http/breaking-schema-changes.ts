import { isDeepStrictEqual } from 'node:util';
import { knownValues } from '@appregistrar/testkit/http/open-string';
import { textFormats } from '../../src/kernel/text.ts';

/** Which side sends what a schema describes: a tighter bound breaks requests, an added value breaks responses. */
export type Direction = 'request' | 'response';

interface Place {
  direction: Direction;
  place: string;
}

type Schema = Record<string, unknown>;
export type Schemas = Record<string, object>;

const lowerBounds = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const upperBounds = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
const formats = ['format', 'pattern'];
// A discriminator hints at the alternative of a union that is meant, and excludes nothing.
const annotations = [
  'title',
  'description',
  'examples',
  'example',
  'default',
  'deprecated',
  '$comment',
  'discriminator',
];
const compared = [
  'type',
  'enum',
  'x-extensible-enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'oneOf',
];
const known = new Set([...lowerBounds, ...upperBounds, ...formats, ...annotations, ...compared, '$ref']);

/** Compares schemas of two documents. Each resolves references within its own document. */
export class SchemaComparison {
  readonly #released: Schemas;
  readonly #current: Schemas;

  constructor(released: Schemas, current: Schemas) {
    this.#released = released;
    this.#current = current;
  }

  changes(at: Place, releasedSchema: object, currentSchema: object): string[] {
    const released = plain(resolve(this.#released, releasedSchema));
    const current = plain(resolve(this.#current, currentSchema));
    return [
      ...typeChanges(at, released, current),
      ...enumChanges(at, released, current),
      ...exclusionChanges(at, released, current),
      ...formatChanges(at, released, current),
      ...boundChanges(at, released, current),
      ...requiredChanges(at, released, current),
      ...this.#propertyChanges(at, released, current),
      ...this.#unionChanges(at, released, current),
      ...unknownChanges(at, released, current),
    ];
  }

  #propertyChanges({ direction, place }: Place, released: Schema, current: Schema): string[] {
    const before = propertiesOf(released);
    const now = propertiesOf(current);
    return Object.entries(before).flatMap(([name, schema]) => {
      const property = now[name];
      const at = `${place} ${name}`;
      return property ? this.changes({ direction, place: at }, schema, property) : [`${at} was removed`];
    });
  }

  /** A union may gain an alternative (interface, section 9). */
  #unionChanges(at: Place, released: Schema, current: Schema): string[] {
    return ['anyOf', 'oneOf'].flatMap((union) => {
      const before = alternatives(this.#released, released, union);
      const now = alternatives(this.#current, current, union);
      if (before.length === 0 && now.length > 0) return [`${at.place} is a union now`];
      const removed = before.filter((option) => !now.some((other) => this.changes(at, option, other).length === 0));
      return removed.map((option) => `${at.place} ${union} ${JSON.stringify(option)} was removed`);
    });
  }
}

function resolve(schemas: Schemas, schema: object): Schema {
  const { $ref, ...rest } = schema as Schema & { $ref?: string };
  if ($ref === undefined) return rest;
  const found = schemas[$ref.replace('#/components/schemas/', '')];
  if (!found) throw new Error(`${$ref} does not resolve`);
  return { ...resolve(schemas, found), ...rest };
}

/**
 * What is said in one of several ways, said in one: a string with other values to come, a format of our own, and the
 * bytes of a file.
 */
function plain(schema: Schema): Schema {
  const values = knownValues(schema);
  if (values) {
    const { anyOf, ...rest } = schema;
    return { ...rest, type: 'string', 'x-extensible-enum': values };
  }
  const { format, ...rest } = schema;
  const own = typeof format === 'string' ? textFormats[format] : undefined;
  if (own) return { ...rest, pattern: own.pattern };
  if (format !== 'binary') return schema;
  const { type, ...bytes } = rest;
  return bytes;
}

/** The alternatives of a union, and those of the unions in it. */
function alternatives(schemas: Schemas, schema: Schema, union: string): object[] {
  return ((schema[union] ?? []) as object[]).flatMap((option) => {
    const inner = alternatives(schemas, resolve(schemas, option), union);
    return inner.length > 0 ? inner : [option];
  });
}

function propertiesOf({ properties, items }: Schema): Record<string, object> {
  return { ...(properties as Record<string, object>), ...(items !== undefined && { '[]': items as object }) };
}

/** Types and enums are sets of allowed values: a response must not gain any, a request must not lose any. */
function typeChanges({ direction, place }: Place, released: Schema, current: Schema): string[] {
  const before = listOf(released.type);
  const now = listOf(current.type);
  return outside(direction, before, now).length > 0
    ? [`${place} is ${now?.join(' or ') ?? 'of any type'} now, and was ${before?.join(' or ') ?? 'of any type'}`]
    : [];
}

/** The known values of an open string bind no one: clients handle others. */
function enumChanges({ direction, place }: Place, released: Schema, current: Schema): string[] {
  if (current['x-extensible-enum'] !== undefined) return [];
  const values = outside(direction, listOf(released.enum), listOf(current.enum));
  return values.map((value) => `${place} ${direction === 'request' ? 'refuses' : 'may be'} ${String(value)} now`);
}

/** The same of values that are excluded, as those of known events are from the event of an unknown type. */
function exclusionChanges({ direction, place }: Place, released: Schema, current: Schema): string[] {
  const [before, now] = [excludedBy(released), excludedBy(current)];
  const values =
    direction === 'request'
      ? now.filter((value) => !before.includes(value))
      : before.filter((value) => !now.includes(value));
  return values.map((value) => `${place} ${direction === 'request' ? 'refuses' : 'may be'} ${String(value)} now`);
}

function excludedBy({ not }: Schema): unknown[] {
  return isExclusion(not) ? not.enum : [];
}

function isExclusion(not: unknown): not is { enum: unknown[] } {
  return typeof not === 'object' && not !== null && Object.keys(not).join() === 'enum';
}

/** The values that the direction forbids to add or remove. An absent list allows everything. */
function outside(direction: Direction, released?: unknown[], current?: unknown[]): unknown[] {
  const [wide, narrow] = direction === 'request' ? [released, current] : [current, released];
  if (!narrow) return [];
  return wide ? wide.filter((value) => !narrow.includes(value)) : ['everything'];
}

function listOf(value: unknown): unknown[] | undefined {
  return value === undefined || Array.isArray(value) ? value : [value];
}

function formatChanges({ direction, place }: Place, released: Schema, current: Schema): string[] {
  return formats
    .filter((name) => released[name] !== current[name])
    .filter((name) => (direction === 'response' ? released : current)[name] !== undefined)
    .map((name) => `${place} has ${name} ${current[name] ?? 'none'} now, and had ${released[name] ?? 'none'}`);
}

function boundChanges({ direction, place }: Place, released: Schema, current: Schema): string[] {
  if (direction === 'response') return [];
  const bound = (schema: Schema, name: string, none: number) => (schema[name] as number | undefined) ?? none;
  const tighter = [
    ...lowerBounds.filter((name) => bound(current, name, -Infinity) > bound(released, name, -Infinity)),
    ...upperBounds.filter((name) => bound(current, name, Infinity) < bound(released, name, Infinity)),
  ];
  const closed = current.additionalProperties === false && released.additionalProperties !== false;
  return [
    ...tighter.map((name) => `${place} has ${name} ${current[name]} now, and had ${released[name] ?? 'none'}`),
    ...(closed ? [`${place} refuses unknown fields now`] : []),
  ];
}

function requiredChanges({ direction, place }: Place, released: Schema, current: Schema): string[] {
  const before = (released.required ?? []) as string[];
  const now = (current.required ?? []) as string[];
  return direction === 'request'
    ? now.filter((name) => !before.includes(name)).map((name) => `${place} ${name} is required now`)
    : before
        .filter((name) => !now.includes(name) && name in propertiesOf(current))
        .map((name) => `${place} ${name} may be absent now`);
}

/** A keyword that this comparison does not know must not change unnoticed. */
function unknownChanges({ place }: Place, released: Schema, current: Schema): string[] {
  const names = new Set([...Object.keys(released), ...Object.keys(current)]);
  return [...names]
    .filter((name) => !known.has(name) && !isDeepStrictEqual(released[name], current[name]))
    .filter((name) => name !== 'not' || !isExclusion(released[name]) || !isExclusion(current[name]))
    .map((name) => `${place} has another ${name}, which this comparison does not know`);
}
