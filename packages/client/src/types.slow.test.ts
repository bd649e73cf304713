import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { after, before, test } from 'node:test';
import { knownValues } from '@appregistrar/testkit/http/open-string';
import { InstalledClient } from './testing/installed-client.ts';
import { undocumented } from './testing/undocumented.ts';

let client: InstalledClient;
before(async () => {
  client = await InstalledClient.create();
});
after(() => client.remove());

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

test('the types match the published OpenAPI document, schema by schema', async () => {
  const { ValidationError, ...schemas } = await schemasOf('openapi.json');
  // Those of the operator API can be about a query, too.
  const { ValidationError: forOperators } = await schemasOf('operator-openapi.json');
  const properties = { ...forOperators?.properties, code: ValidationError?.properties?.code ?? {} };
  await checkAgainst({ ...schemas, ValidationError: { ...forOperators, properties } });
});

async function schemasOf(document: string): Promise<Record<string, Schema>> {
  const text = await readFile(new URL(`../../../docs/${document}`, import.meta.url), 'utf8');
  return JSON.parse(text).components.schemas;
}

test('a document that differs in a field, in an optional field or in an enum is detected', async () => {
  const document = await schemasOf('openapi.json');
  const drifts: [string, string][] = [
    ['"installationCount"', '"installations"'],
    ['"required":["backgroundColor"],', ''],
    ['"REJECTED"', '"REVOKED"'],
  ];
  const schemas = drifts.reduce((text, drift) => text.replaceAll(...drift), JSON.stringify(document));
  await assert.rejects(checkAgainst(JSON.parse(schemas)), (error: Error) => {
    for (const name of ['DeveloperApp', 'ListingInfo', 'ReviewStatus']) {
      assert.match(error.message, new RegExp(`'"${name}"'|${name}`));
    }
    assert.doesNotMatch(error.message, /OauthInfoUpdate/);
    return true;
  });
});

test('every export has a doc comment with an example that compiles', async () => {
  const declarations = [...(await client.files())].filter(([path]) => /^cjs\/.*\.d\.ts$/.test(path));
  // Without the schemas of the operator API, which are generated.
  const names = entries.map(({ index }) => publicNames(new Map(declarations), index, generated));
  for (const [at, { namesMin }] of entries.entries()) assert.ok((names[at]?.size ?? 0) >= namesMin, `entry ${at}`);
  for (const [name, comment] of names.flatMap((ofEntry) => [...ofEntry])) {
    assert.match(comment, /@example/, `${name} has no example`);
  }

  const examples = declarations.flatMap(([path, code]) =>
    [...code.matchAll(/@example\n(.*?)\*\//gs)].map(([, lines = '']) => {
      return `async () => {\n// ${path}\n${lines.replaceAll(/^ *\* ?/gm, '')}\n};`;
    }),
  );
  const seen = new Set<string>();
  const imports = entries.map(({ name }, at) => {
    const own = [...(names[at]?.keys() ?? [])].filter((each) => !seen.has(each));
    for (const each of own) seen.add(each);
    return `import { ${own} } from '${name}';`;
  });
  await client.write('examples.mts', [...imports, declared, ...examples].join('\n'));
  await client.check('examples.mts', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', '');
});

test('every function, class, type, field and method that is exported has a text to show on hover', async () => {
  const declarations = new Map([...(await client.files())].filter(([path]) => /^cjs\/.*\.d\.ts$/.test(path)));
  const names = new Set(entries.flatMap(({ index }) => [...publicNames(declarations, index, '').keys()]));
  // Documented in `AppRegistryError`.
  const ofErrors = ['name', 'isRetryable'];
  const bare = [...declarations].flatMap(([path, code]) => {
    const isPublic = [...code.matchAll(declaration)].some(([, , name = '']) => names.has(name));
    return isPublic ? undocumented(code, (name) => names.has(name), ofErrors).map((each) => `${path}: ${each}`) : [];
  });
  assert.deepEqual(bare, []);
  const code = '/** A. */\nexport interface A {\n  a: { b: string };\n  /** C. */\n  c: 1;\n}\nexport type B = A;\n';
  assert.deepEqual(
    undocumented(code, () => true),
    ['A: a: { b: string };', 'A: b: string', 'B'],
  );
});

test('the built package imports nothing but itself, and no entry imports the command, which alone uses Node', async () => {
  const files = await client.files();
  assert.ok(files.has('index.js') && files.has('index.d.ts'));
  for (const [file, code] of files) {
    if (file.startsWith('conformance/')) continue;
    const imports = [...code.matchAll(/\b(?:from|import|require)\b[\s(]*(['"])(.*?)\1/g)].map(([, , name]) => name);
    for (const imported of imports) assert.match(imported ?? '', /^\.\.?\/(?!.*conformance)/, file);
    const statements = code.replaceAll(/\/\*.*?\*\//gs, '');
    if (file.endsWith('.js')) assert.doesNotMatch(statements, /\b(?:process|Buffer)\b/, file);
  }
});

test('the package contains no test code', async () => {
  assert.deepEqual(
    [...(await client.files()).keys()].filter((file) => /test/.test(file)),
    [],
  );
});

test('its types need neither the types of Node nor those of a browser, with either module resolution', async () => {
  const alike = ['', '/logging', '/testing', '/webhooks'];
  const imports = alike.map((entry, at) => `export * as entry${at} from '@appregistrar/client${entry}';\n`);
  await client.write('types.mts', imports.join(''));
  const alone = ['--lib', 'es2022', '--types', ''];
  await client.check('types.mts', ...alone, '--module', 'nodenext');
  await client.check('types.mts', ...alone, '--module', 'esnext', '--moduleResolution', 'bundler');
});

async function checkAgainst(schemas: Record<string, Schema>): Promise<void> {
  const lines = Object.entries(schemas).map(
    ([name, schema]) => `same<Written<client.${name}>, Written<${typeOf(schema, schemas)}>>('${name}');`,
  );
  await client.write('document.mts', [sameness, ...lines].join('\n'));
  await client.check('document.mts', '--module', 'nodenext', '--types', '', '--pretty', 'false');
}

/** A schema as a TypeScript type. */
function typeOf(schema: Schema, schemas: Record<string, Schema>): string {
  const inner = (each: Schema) => typeOf(each, schemas);
  if (schema.$ref) return inner(schemas[schema.$ref.replace('#/components/schemas/', '')] as Schema);
  if (schema.enum) return unionOf(schema.enum);
  const known = knownValues(schema);
  if (known) return `${unionOf(known)} | (string & {})`;
  if (Array.isArray(schema.type)) return schema.type.map((type) => inner({ ...schema, type })).join(' | ');
  if (schema.type === 'array') return `(${inner(schema.items as Schema)})[]`;
  if (schema.type !== 'object') return schema.type === 'integer' ? 'number' : String(schema.type);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => `${name}${schema.required?.includes(name) ? '' : '?'}: ${inner(field)}`,
  );
  return `{ ${fields.join('; ')} }`;
}

function unionOf(values: string[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

const sameness = `import type * as client from '@appregistrar/client';
type Written<T> = T extends readonly (infer Item)[] ? Written<Item>[]
  : T extends object ? { [Field in keyof T]: Written<Exclude<T[Field], undefined>> } : T;
declare function same<A, B>(name: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? string : never): void;
`;

const generated = "export type * from './types.ts';";

/** The entries of the package, with a number of exports below which some were not found. */
const entries = [
  { name: '@appregistrar/client', index: 'cjs/index.d.ts', namesMin: 60 },
  { name: '@appregistrar/client/operator', index: 'cjs/operator/index.d.ts', namesMin: 20 },
  { name: '@appregistrar/client/sync', index: 'cjs/sync/index.d.ts', namesMin: 7 },
  { name: '@appregistrar/client/logging', index: 'cjs/logging/index.d.ts', namesMin: 3 },
  { name: '@appregistrar/client/webhooks', index: 'cjs/webhook/handler/index.d.ts', namesMin: 8 },
  { name: '@appregistrar/client/testing', index: 'cjs/webhook/signing/index.d.ts', namesMin: 5 },
];

/** The declarations that the examples rely on. */
const declared = `import { type OperatorApp } from '@appregistrar/client/operator';
declare const copy: RegistryCopy;
declare const [client, event, request]: [AppRegistryClient, AppRegistryEvent, Request];
declare const [operator, app, png]: [OperatorClient, OperatorApp, Uint8Array<ArrayBuffer>];
declare const [id, appId, userId, workspaceId]: [string, string, string, string];
declare const [webhookId, token, secret]: [string, string, string];`;

/** The names that an entry exports, with their doc comments. */
function publicNames(declarations: Map<string, string>, entry: string, without: string): Map<string, string> {
  const index = (declarations.get(entry) ?? '').replace(without, '');
  const starExports = [...index.matchAll(/export type \* from '\.\/(.*)\.ts'/g)].map(([, path]) =>
    join(dirname(entry), `${path}.d.ts`),
  );
  const listed = [...index.matchAll(/export (?:type )?\{(.*?)\}/gs)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  );
  const names = new Map<string, string>();
  for (const [path, code] of declarations) {
    for (const [, comment = '', name = ''] of code.matchAll(declaration)) {
      if (listed.includes(name) || starExports.includes(path)) names.set(name, comment);
    }
  }
  for (const name of listed) assert.ok(names.has(name) || name === 'type', `${name} is declared nowhere`);
  return names;
}

const declaration =
  /(\/\*\*(?:(?!\*\/).)*\*\/\n)?export (?:declare )?(?:abstract )?(?:class|interface|type|function|const) (\w+)/gs;
