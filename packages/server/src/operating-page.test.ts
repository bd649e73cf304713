import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { runHere } from '@appregistrar/testkit/programs/command-line';
import { readConfig } from './config/config.ts';
import { secretVariables } from './config/variable-reader.ts';
import { postgresVariables } from './storage/postgres-url.ts';

const page = await OperatingPage.read();

test('the pages list every configuration variable with its default', async () => {
  const source = await readFile(new URL('config/config.ts', import.meta.url), 'utf8');
  const calls = [...source.matchAll(/reader\.\w+\('([A-Z_]+)'(?:, '([A-Z_]+)')?/g)];
  const read = calls.flatMap(([, ...names]) => names.filter((name) => name !== undefined));
  const variables = [...read, ...secretVariables.map((name) => `${name}_FILE`)];
  const provider = await readFile(new URL('../../../docs/identity-provider.md', import.meta.url), 'utf8');
  const documented = [...(page.text + provider).matchAll(/^\| `([A-Z_]+)` \| (?:`([^`|]+)`|none|`[^|]+) \|/gm)];
  assert.deepEqual(documented.map(([, name]) => name).toSorted(), [...new Set(variables)].toSorted());
  for (const [, name = '', value = ''] of documented)
    assert.deepEqual(readConfig({ [name]: value }), readConfig({}), name);
});

test('the pages list every parameter and variable of libpq that a database URL accepts', () => {
  const section = page.text.split('## Connect to PostgreSQL')[1]?.split('\n## ')[0] ?? '';
  for (const [parameter, variable] of Object.entries(postgresVariables)) {
    assert.match(section, new RegExp(`^\\|.*\`${parameter}\`.*\\|.*\`${variable}\`.*\\|`, 'm'), parameter);
  }
});

test('a refused command exits with 1, and an incorrectly used one with 2', async () => {
  assert.equal((await runHere('check', '--database-url', 'mysql://db')).status, 1);
  assert.equal((await runHere('app', 'approve')).status, 2);
});

test('every systemd unit that has a folder for data keeps other users from it', async () => {
  const released = new URL('../../../scripts/release/files/app-registry.service', import.meta.url);
  const units = [...page.text.matchAll(/```ini\n(\[Unit\].*?)```/gs)].map(([, unit = '']) => unit);
  for (const unit of [...units, await readFile(released, 'utf8')].filter((text) => text.includes('StateDirectory='))) {
    assert.match(unit, /^StateDirectoryMode=0700$/m);
    assert.match(unit, /^UMask=0077$/m);
  }
  assert.ok(units.length > 0);
});
