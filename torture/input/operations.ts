import { readFileSync } from 'node:fs';
import type { Document } from 'app-registry-testkit/http/published-document';
import type { SeededRandom } from '../../scripts/seeded-random.ts';
import { goodText } from './fuzz-text.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** One operation as a document publishes it. */
export interface Operation {
  method: string;
  path: string;
  isPublic: boolean;
  parameters: Parameter[];
  /** Of its JSON body. */
  body: Schema | undefined;
  isForm: boolean;
}

export const documents = { public: documentOf('openapi.json'), operator: documentOf('operator-openapi.json') };

/** Every operation of both listeners. */
export const operations = {
  public: operationsOf(documents.public, true),
  operator: operationsOf(documents.operator, false),
};

function documentOf(file: string): Document {
  return JSON.parse(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8'));
}

function operationsOf(document: Document, isPublic: boolean): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody } = operation as {
        parameters?: Parameter[];
        requestBody?: { content: Record<string, { schema: Schema }> };
      };
      const body = requestBody?.content['application/json']?.schema;
      const isForm = requestBody?.content['multipart/form-data'] !== undefined;
      return {
        method: method.toUpperCase(),
        path,
        isPublic,
        parameters,
        body: body && resolved(document, body),
        isForm,
      };
    }),
  );
}

/** Ids that exist, or once did, by the prefix of their kind. */
export type KnownIds = Record<string, string[]>;

/** A value that the schema allows, its ids those of existing objects. */
export function sample(schema: Schema, random: SeededRandom, ids: KnownIds): unknown {
  const { properties, enum: choices, items } = schema;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (choices) return random.pick(choices as [string, ...string[]]);
  if (properties) {
    const required = new Set(schema.required);
    const members = Object.entries(properties).filter(([name]) => required.has(name) || random.chance(0.5));
    return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(name, member, { random, ids })]));
  }
  if (items) return [sample(items, random, ids)];
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'integer') return random.between(1, 1_000);
  return textOf(schema.format, random);
}

function sampleOf(name: string, schema: Schema, { random, ids }: { random: SeededRandom; ids: KnownIds }): unknown {
  const prefix = prefixOf(name);
  const known = ids[prefix];
  return prefix !== '' && known ? random.pick(known as [string, ...string[]]) : sample(schema, random, ids);
}

/** What the ids of a member or a parameter begin with. */
export function prefixOf(name: string): string {
  if (name === 'developerId') return 'user';
  return /^(app|user|workspace|logo|installation)Id$/.exec(name)?.[1] ?? '';
}

function textOf(format: string | undefined, random: SeededRandom): string {
  switch (format) {
    case 'color':
      return `#${random.bits32().toString(16).padStart(8, '0').slice(0, 6)}`;
    case 'web-address':
    case 'http-address':
      // Nobody is there: what is sent to webhooks is refused before it leaves.
      return `https://localhost/${random.bits32()}`;
    case 'email':
      return `a${random.bits32()}@example.com`;
    case 'date-time':
      return '2026-03-01T09:30:00.000Z';
    default:
      return goodText(random).slice(0, 90);
  }
}

function resolved(document: Document, schema: Schema): Schema {
  const { $ref, properties, items } = schema;
  if ($ref) return resolved(document, document.components.schemas[$ref.split('/').at(-1) as string] as Schema);
  return {
    ...schema,
    ...(items && { items: resolved(document, items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, resolved(document, member)]),
      ),
    }),
  };
}
