import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { resolveComponents } from '@appregistrar/testkit/http/resolve-components';
import { appContentFields } from '../packages/server/src/features/apps/app-content.ts';
import * as appFields from '../packages/server/src/features/apps/app-fields.ts';
import { callsCode, methodsCode } from './client-methods.ts';
import { typesCode } from './client-types.ts';
import { type Document, operatorMethods } from './operator-methods.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const operatorDocument = 'docs/operator-openapi.json';

/** The files of the client that derive from the server, by their paths from the root of the repository. */
export async function clientFiles(): Promise<Map<string, string>> {
  const document = await read(operatorDocument);
  const methods = operatorMethods(document);
  const types = await typesCode(document, await read('docs/openapi.json'), methods);
  const operator = 'packages/client/src/operator';
  return new Map([
    written(`${operator}/types.ts`, operatorDocument, types.code),
    written(`${operator}/operator-resources.ts`, operatorDocument, methodsCode(document, methods, types.names)),
    written(`${operator}/testing/calls.ts`, operatorDocument, callsCode(methods)),
    written('packages/client/src/conformance/content-fields.ts', 'the table of content fields', contentFieldsCode()),
  ]);
}

async function read(file: string): Promise<Document> {
  return resolveComponents(JSON.parse(await readFile(`${repository}/${file}`, 'utf8')));
}

/** The conformance command cannot import the server. */
function contentFieldsCode(): string {
  const lengths = new Map(Object.entries(appFields).map(([name, schema]) => [name, Reflect.get(schema, 'maxLength')]));
  const fields = appContentFields.map(({ path, kind, schema, default: initial }) => ({
    pointer: `/${path.replace('.', '/')}`,
    kind,
    isOptional: initial === null,
    lengthMax: lengths.get(schema) ?? null,
  }));
  return `/** The fields of an app's content. \`lengthMax\` is in code points. */
export const contentFields = ${JSON.stringify(fields)} as const;
`;
}

function written(file: string, source: string, code: string): [file: string, text: string] {
  const input = `// Written by \`npm run client-types\` from ${source}. Do not edit.\n\n${code}`;
  const options = { cwd: repository, input, encoding: 'utf8' } as const;
  return [file, execFileSync('node_modules/.bin/biome', ['check', '--write', '--stdin-file-path', file], options)];
}
