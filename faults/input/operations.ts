import { readFileSync } from 'node:fs';
import type { Document } from '@appregistrar/testkit/http/published-document';
import { resolveComponents } from '@appregistrar/testkit/http/resolve-components';
import type { SeededRandom } from '../../scripts/seeded-random.ts';
import { validText } from './fuzz-text.ts';

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

/** An operation of a published document. */
export interface Operation {
  method: string;
  path: string;
  isPublic: boolean;
  parameters: Parameter[];
  /** The schema of its JSON body. */
  body: Schema | undefined;
  isBodyRequired: boolean;
  isForm: boolean;
}

export const documents = { public: documentOf('openapi.json'), operator: documentOf('operator-openapi.json') };

/** All operations of each listener. */
export const operations = {
  public: operationsOf(documents.public, true),
  operator: operationsOf(documents.operator, false),
};

function streams(operation: object): boolean {
  const { responses = {} } = operation as { responses?: Record<string, { content?: Record<string, unknown> }> };
  return responses['200']?.content?.['text/event-stream'] !== undefined;
}

function documentOf(file: string): Document {
  return resolveComponents(JSON.parse(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')));
}

function operationsOf(document: Document, isPublic: boolean): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    // A response that streams does not end by itself.
    Object.entries(methods)
      .filter(([, operation]) => !streams(operation))
      .map(([method, operation]) => {
        const { parameters = [], requestBody } = operation as {
          parameters?: Parameter[];
          requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
        };
        const body = requestBody?.content['application/json']?.schema;
        const isForm = requestBody?.content['multipart/form-data'] !== undefined;
        return {
          method: method.toUpperCase(),
          path,
          isPublic,
          parameters,
          body: body && resolved(document, body),
          isBodyRequired: requestBody?.required === true,
          isForm,
        };
      }),
  );
}

/** Ids of existing and former objects, by prefix. */
export type KnownIds = Record<string, string[]>;

/** A value that the schema allows, with known ids. */
export function sample(schema: Schema, random: SeededRandom, ids: KnownIds): unknown {
  const { properties, enum: choices, items } = schema;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (choices) return random.pick(choices as [string, ...string[]]);
  if (properties) {
    const required = new Set(schema.required);
    const fields = Object.entries(properties).filter(([name]) => required.has(name) || random.chance(0.5));
    return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(name, field, { random, ids })]));
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

/** The id prefix of a field or parameter; empty if it is no id. */
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
      // Deliveries to this host are refused before they are sent.
      return `https://localhost/${random.bits32()}`;
    case 'email':
      return `a${random.bits32()}@example.com`;
    case 'date-time':
      return '2026-03-01T09:30:00.000Z';
    default:
      return validText(random).slice(0, 90);
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
        Object.entries(properties).map(([name, property]) => [name, resolved(document, property)]),
      ),
    }),
  };
}
