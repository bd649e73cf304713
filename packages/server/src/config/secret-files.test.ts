import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { errorsOf } from '../../test/config/errors-of.ts';
import { readConfig } from './config.ts';
import { secretVariables } from './variable-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
after(() => rmSync(folder, { recursive: true }));

const key = Buffer.alloc(32, 'k').toString('base64');
const provider = { OIDC_ISSUER: 'https://issuer.example', OIDC_AUDIENCE: 'registry', OIDC_CLIENT_ID: 'console' };
const valid: Record<string, string> = {
  DATABASE_URL: 'postgres://ada:hidden@db.example/registry',
  PGPASSWORD: ' hidden ',
  SECRETS_KEY: key,
  OIDC_CLIENT_SECRET: ' hidden ',
  WEBHOOK_PROXY: 'http://ada:hidden@proxy.example:3128',
};
/** What a file of these may not hold. */
const invalid: Record<string, string> = {
  DATABASE_URL: 'mysql://ada:hidden@db.example',
  SECRETS_KEY: 'hidden',
  OIDC_CLIENT_SECRET: 'hidden\u{e9}',
  WEBHOOK_PROXY: 'ftp://ada:hidden@proxy.example',
};

for (const name of secretVariables) {
  const others = { ...provider, ...(name === 'PGPASSWORD' && { DATABASE_URL: 'postgres://ada@db.example/registry' }) };

  test(`${name} is read from the file that ${name}_FILE names, without the line break at its end`, () => {
    for (const end of ['', '\n', '\r\n']) {
      const config = readConfig({ ...others, [`${name}_FILE`]: fileOf(`${valid[name]}${end}`) });
      assert.deepEqual(config, readConfig({ ...others, [name]: valid[name] }));
      assert.notDeepEqual(config, readConfig(others));
    }
  });

  test(`${name} and ${name}_FILE exclude each other`, () => {
    const env = { ...others, [name]: valid[name] ?? '', [`${name}_FILE`]: fileOf(valid[name] ?? '') };
    assert.deepEqual(errorsOf(env), [`${name}_FILE must not be set together with ${name}.`]);
  });

  test(`${name}_FILE must name a non-empty file`, () => {
    const empty = [fileOf(''), fileOf('\n')];
    for (const file of empty)
      assert.deepEqual(errorsOf({ ...others, [`${name}_FILE`]: file }), [`${name}_FILE must name a non-empty file.`]);
  });
}

test('an invalid value in a file is reported with the variable of the file, without the value', () => {
  for (const [name, value] of Object.entries(invalid)) {
    const [error = '', ...more] = errorsOf({ ...provider, [`${name}_FILE`]: fileOf(value) });
    assert.ok(error.startsWith(`${name}_FILE must `), error);
    assert.doesNotMatch(error, /hidden/);
    assert.deepEqual(more, []);
  }
});

test('all files that cannot be read are reported at once, beside all other errors', () => {
  const files = Object.fromEntries(secretVariables.map((name) => [`${name}_FILE`, join(folder, 'none')]));
  assert.deepEqual(errorsOf({ ...provider, ...files, LOG_LEVEL: 'loud' }), [
    ...secretVariables.map((name) => `${name}_FILE must name a readable file (ENOENT).`),
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud".',
  ]);
});

let files = 0;
function fileOf(text: string): string {
  files += 1;
  const file = join(folder, String(files));
  writeFileSync(file, text);
  return file;
}
