import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { appContentFields } from '../packages/server/src/features/apps/app-content-fields.ts';
import * as appFields from '../packages/server/src/features/apps/app-fields.ts';
import { knownValues } from '../packages/testkit/src/http/open-string.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
/** Where the types are, from the root of the repository. */
export const clientTypesFile = 'packages/client/src/operator/types.ts';

/** Where the fields are that the conformance command sets, from the root of the repository. */
export const contentFieldsFile = 'packages/client/src/conformance/content-fields.ts';

const banner = `// Written by \`npm run client-types\` from docs/operator-openapi.json. Do not edit.
`;
/** What the library writes about where it found a schema, and the type of the object that holds them all. */
const provenance =
  /(?: \*\n)? \* This interface was referenced by `Schemas`'s JSON-Schema\n \* via the `definition` ".*"\.\n/g;
const container = /export interface Schemas \{[^}]*\}\n/;

const isElsewhere = /Event$|Page$|^InstalledApp$|^NewLogo$|^Problem$|^ValidationError$/;

/** The schemas of the published OpenAPI document of the operator API as types of the client. */
export async function clientTypes(): Promise<string> {
  const document = JSON.parse(await readFile(`${repository}/docs/operator-openapi.json`, 'utf8'));
  const definitions: Record<string, JSONSchema> = JSON.parse(
    JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/definitions/'),
    (_, schema) => asType(schema),
  );
  // Events, pages and problems are types of the package's core, and the form of a logo is a Blob.
  for (const name of Object.keys(definitions)) if (isElsewhere.test(name)) delete definitions[name];
  const types = await compile({ title: 'Schemas', definitions }, 'Schemas', {
    additionalProperties: false,
    bannerComment: banner,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  });
  const plain = types
    .replace(provenance, '')
    .replace(container, '')
    .replace(/\/\*\*\n \*\/\n/g, '');
  return formatted(clientTypesFile, plain);
}

/** The fields of an app's content as a module of the conformance command, which cannot import the server. */
export function contentFields(): string {
  const lengths = new Map(Object.entries(appFields).map(([name, schema]) => [name, Reflect.get(schema, 'maxLength')]));
  const fields = appContentFields.map(({ path, kind, schema, default: initial }) => ({
    pointer: `/${path.replace('.', '/')}`,
    kind,
    isOptional: initial === null,
    lengthMax: lengths.get(schema) ?? null,
  }));
  const text = `// Written by \`npm run client-types\` from the table of content fields. Do not edit.

/** The fields of an app's content. \`lengthMax\` is in code points. */
export const contentFields = ${JSON.stringify(fields)} as const;
`;
  return formatted(contentFieldsFile, text);
}

function formatted(file: string, input: string): string {
  const options = { cwd: repository, input, encoding: 'utf8' } as const;
  return execFileSync('node_modules/.bin/biome', ['check', '--write', '--stdin-file-path', file], options);
}

/** A string with known values, and others to come: an editor offers them only if the rest is not the plain type. */
function asType(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const values = knownValues(schema);
  if (!values) return schema;
  const { anyOf, ...rest } = schema as { anyOf: object };
  const known = values.map((value) => `'${value}'`).join(' | ');
  return { ...rest, tsType: `(${known} | (string & {}))` };
}
