import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { knownValues } from '../packages/testkit/src/http/open-string.ts';
import { described } from './client-descriptions.ts';
import {
  besideFields,
  commonQueries,
  type Document,
  fullName,
  type OperatorMethod,
  type Parameter,
  queryTypeName,
  typeName,
} from './operator-methods.ts';

/** What the library writes about where it found a schema, and the type of the object that holds them all. */
const provenance =
  /(?: \*\n)? \* This interface was referenced by `Schemas`'s JSON-Schema\n \* via the `definition` ".*"\.\n/g;
const container = /export interface Schemas \{[^}]*\}\n/;

/** The types of events and of problems are those of the package's core. */
const isInCore = /Event$|^Problem$|^ValidationError$/;

/** The schemas and queries of the operator API as types, with their names. Those of the public interface are in the package's core. */
export async function typesCode(
  document: Document,
  publicDocument: Document,
  methods: OperatorMethod[],
): Promise<{ code: string; names: string[] }> {
  const shared = Object.keys(publicDocument.components.schemas).filter((name) => !isInCore.test(name));
  const schemas = Object.entries(document.components.schemas).filter(([name]) => !isInCore.test(name));
  const coreNames = schemas.map(([name]) => name).filter((name) => shared.includes(name));
  const pages = methods.flatMap(({ result }) => (result.kind === 'list' ? [result.page] : []));
  const own = schemas.filter(([name]) => !coreNames.includes(name) && !pages.includes(name));
  const schemasOfTypes = { ...queryTypes(methods), ...besideTypes(document, methods), ...Object.fromEntries(own) };
  const definitions: Record<string, JSONSchema> = JSON.parse(
    JSON.stringify(described(schemasOfTypes, methods)),
    (_, schema) => asType(schema, coreNames),
  );
  const types = await compile({ title: 'Schemas', definitions }, 'Schemas', {
    additionalProperties: false,
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  });
  const plain = types
    .replace(provenance, '')
    .replace(container, '')
    .replace(/\/\*\*\n \*\/\n/g, '')
    .replace(/\/\*\*\n +\* (.{1,110})\n +\*\//g, '/** $1 */');
  const code = `import type { AppRegistryEvent } from '../event.ts';
import type { ${coreNames.join(', ')} } from '../types/app.ts';

export type { ${coreNames.join(', ')} };

${plain}`;
  return { code, names: [...coreNames, ...(plain.match(/(?<=^export (?:type|interface) )\w+/gm) ?? [])] };
}

/** A list that is filtered has the parameters of one that is not. */
function queryTypes(methods: OperatorMethod[]): Record<string, object> {
  const types: Record<string, object> = {};
  for (const method of methods.filter(({ httpMethod, query }) => httpMethod === 'GET' && query.length > 0)) {
    const names = method.query.map(({ name }) => name);
    const base = commonQueries.findLast((common) => common.names.every((name) => names.includes(name)));
    const name = queryTypeName(method);
    for (const common of base ? commonQueries.slice(0, commonQueries.indexOf(base) + 1) : []) {
      types[common.type] ??= commonQueryType(common, method);
    }
    const own = method.query.filter((parameter) => base?.type === name || !base?.names.includes(parameter.name));
    types[name] ??= {
      type: 'object',
      description: `The query of \`${fullName(method)}\`.`,
      extends: base ? [{ $ref: `#/components/schemas/${base.type}` }] : [],
      properties: Object.fromEntries(own.map((parameter) => [parameter.name, queryField(parameter)])),
      required: own.filter(({ required }) => required).map((parameter) => parameter.name),
    };
  }
  return types;
}

function commonQueryType({ names, description }: (typeof commonQueries)[number], { query }: OperatorMethod): object {
  const fields = query.filter(({ name }) => names.includes(name));
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(fields.map((one) => [one.name, queryField(one)])),
  };
}

function queryField({ description, required, schema }: Parameter): object {
  return { description, tsType: required ? valueType(schema) : `${valueType(schema)} | undefined` };
}

function valueType({ type, enum: values, items }: JSONSchema): string {
  if (type === 'array') return `readonly (${valueType(items as JSONSchema)})[]`;
  if (values) return values.map((value) => `'${value}'`).join(' | ');
  return type === 'integer' ? 'number' : `${type}`;
}

const besideDescriptions: Record<string, string> = {
  Total: 'How many items a list has, if its query has `withTotal`.',
  Actors: 'Who has done what a page lists, if its query has `actors`.',
};

function besideTypes({ components }: Document, methods: OperatorMethod[]): Record<string, object> {
  const types = methods.flatMap((method) => {
    const { result } = method;
    if (result.kind !== 'list' || !result.beside) return [];
    const properties = besideFields(components.schemas[result.page] ?? {});
    const description =
      besideDescriptions[result.beside] ?? `What a page of \`${fullName(method)}\` has besides its items.`;
    return [[result.beside, { type: 'object', description, properties }]];
  });
  return Object.fromEntries(types);
}

function asType(schema: unknown, coreNames: string[]): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, anyOf, ...rest } = schema as { $ref?: string; anyOf?: object; format?: string };
  if (rest.format === 'binary') return { ...rest, tsType: 'Blob' };
  if ($ref) {
    const name = typeName({ $ref });
    // A type that is extended stays a reference, which cannot have a description.
    const isExtended = Object.keys(rest).length === 0 && !coreNames.includes(name) && name !== 'AppRegistryEvent';
    return isExtended ? { $ref: `#/definitions/${name}` } : { ...rest, tsType: name };
  }
  const values = knownValues(schema);
  if (!values) return schema;
  // An editor offers the known values only if the rest is not the plain type.
  const known = values.map((value) => `'${value}'`).join(' | ');
  return { ...rest, tsType: `(${known} | (string & {}))` };
}
