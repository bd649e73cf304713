import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findPassword } from './password-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'passwords-'));
const file = join(folder, 'pgpass');
after(() => rmSync(folder, { recursive: true }));

const use = { host: 'db.example', port: 5432, database: 'registry', user: 'ada' };

const lines: [text: string, password: string | null][] = [
  ['db.example:5432:registry:ada:pw', 'pw'],
  ['*:*:*:*:pw', 'pw'],
  ['# *:*:*:*:no\n\n*:*:*:*:pw\n*:*:*:*:later', 'pw'],
  ['#db.example:5432:registry:ada:no', null],
  ['other:5432:registry:ada:no\r\ndb.example:*:registry:ada:pw\r\n', 'pw'],
  ['db.example:5433:registry:ada:no\ndb.example:5432:other:ada:no\ndb.example:5432:registry:eve:no', null],
  ['*:*:*:*:p\\:w\\\\d', 'p:w\\d'],
  ['*:*:*:*:p:w', 'p:w'],
  ['*:*:*:*:', null],
  ['*:*:*:pw', null],
  ['', null],
];

for (const [text, password] of lines) {
  test(`the password file ${JSON.stringify(text)} has ${password === null ? 'no password' : `the password ${password}`}`, () => {
    writeFileSync(file, text);
    assert.equal(findPassword(file, use), password);
  });
}

test('a field of the password file may have escaped colons, and a Unix socket counts as localhost', () => {
  writeFileSync(file, '::1:5432:registry:ada:no\n\\:\\:1:5432:registry:ada:six\nlocalhost:*:*:*:local\n');
  assert.equal(findPassword(file, { ...use, host: '::1' }), 'six');
  assert.equal(findPassword(file, { ...use, host: '/run/postgresql' }), 'local');
});
