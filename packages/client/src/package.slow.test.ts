import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { InstalledClient } from './testing/installed-client.ts';

const command = 'conformance/';

let client: InstalledClient;
before(async () => {
  client = await InstalledClient.create();
});
after(() => client.remove());

test('the built package imports nothing but itself, and no entry imports the command, which alone uses Node', async () => {
  const files = await client.files();
  assert.ok(files.has('index.js') && files.has('index.d.ts'));
  for (const [file, code] of files) {
    if (file.startsWith(command)) continue;
    const imports = [...code.matchAll(/\b(?:from|import|require)\b[\s(]*(['"])(.*?)\1/g)].map(([, , name]) => name);
    for (const imported of imports) assert.match(imported ?? '', /^\.\.?\/(?!.*conformance)/, file);
    if (file.endsWith('.js')) assert.doesNotMatch(code, /\b(?:process|Buffer)\b/, file);
  }
});

test('the package contains no test code', async () => {
  assert.deepEqual(
    [...(await client.files()).keys()].filter((file) => /test/.test(file)),
    [],
  );
});

test('its types need neither the types of Node nor those of a browser, with either module resolution', async () => {
  const entries = ['', '/logging', '/testing', '/webhooks'];
  const imports = entries.map((entry, at) => `export * as entry${at} from '@appregistrar/client${entry}';\n`);
  await client.write('types.mts', imports.join(''));
  const alone = ['--lib', 'es2022', '--types', ''];
  await client.check('types.mts', ...alone, '--module', 'nodenext');
  await client.check('types.mts', ...alone, '--module', 'esnext', '--moduleResolution', 'bundler');
});
