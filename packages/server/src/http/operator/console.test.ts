import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import type { ConsoleBrand } from '../../features/access/browser-sessions.ts';

const page = '<!doctype html><script type="module" src="/assets/index-x1.js"></script>';
const script = 'console.log("console");'.repeat(100);

// Static files are the same on every engine.
let folder: string;
let operator: OperatorFixture;
before(async () => {
  folder = `${await mkdtemp(join(tmpdir(), 'console-'))}/`;
  await mkdir(`${folder}assets`);
  await writeFile(`${folder}index.html`, page);
  await writeFile(`${folder}assets/index-x1.js`, script);
  await writeFile(`${folder}assets/style-x2.css`, 'body{}');
  operator = await OperatorFixture.open(sqlite, { consoleFolder: folder });
});
after(async () => {
  await operator.close();
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => operator.send({ method: 'GET', path, headers });

test('the page may load and call only this listener, cannot be framed, and is revalidated on every visit', async () => {
  const { status, text, headers } = await get('/');
  assert.deepEqual([status, text], [200, page]);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-cache');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  const policy = new Map(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
  assert.equal(policy.get('default-src'), `'none'`);
  assert.equal(policy.get('frame-ancestors'), `'none'`);
  assert.equal(policy.get('form-action'), `'none'`);
  assert.equal(policy.get('base-uri'), `'none'`);
  for (const kind of ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src']) {
    assert.equal(policy.get(kind), `'self'`);
  }
});

test('browsers cache its assets for a year, because their names change with their content', async () => {
  const { status, text, headers } = await get('/assets/index-x1.js');
  assert.deepEqual([status, text, headers['content-encoding']], [200, script, undefined]);
  assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(headers['cache-control'], 'private, max-age=31536000, immutable');
  assert.equal((await get('/assets/style-x2.css')).headers['content-type'], 'text/css; charset=utf-8');
});

test('assets are compressed for a client that accepts it', async () => {
  const { text, headers } = await get('/assets/index-x1.js', { 'accept-encoding': 'gzip, br' });
  assert.deepEqual([text, headers['content-encoding'], headers.vary], [script, 'br', 'Accept-Encoding']);
});

test('no file outside the built assets is served', async () => {
  const others = ['index.html', 'index-x2.js', '..%2findex.html', '%2e%2e%2findex.html', '', 'a/b', 'constructor'];
  for (const name of others) {
    const { refusal, headers } = await get(`/assets/${name}`);
    assert.deepEqual([refusal, headers['cache-control']], ['404 path_not_found', 'no-store'], name);
  }
  assert.equal((await get('/index.html')).refusal, '404 path_not_found');
});

test('if the console is not built, the response explains how to build it', async () => {
  const bare = await OperatorFixture.open(sqlite, { consoleFolder: `${folder}nowhere/` });
  const response = await bare.send({ method: 'GET', path: '/' });
  assert.equal(response.refusal, '404 path_not_found');
  assert.match(response.problem.detail, /npm run build/);
  await bare.close();
});

test('an operator gives the console a name, a mark and an accent, which the sign-in page shows without a session', async () => {
  const hostile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" onload="alert(1)"><script>alert(2)</script>
    <circle cx="4" cy="4" r="4" fill="red"/></svg>`;
  const console = { name: 'Example & <b>Apps</b>', mark: Buffer.from(hostile), accent: '#3366cc' };
  const branded = await OperatorFixture.open(sqlite, { console });
  const { view } = await branded.send<{ brand: Required<ConsoleBrand> }>({ method: 'GET', path: '/session' });
  assert.deepEqual([view.brand.name, view.brand.accent], ['Example & <b>Apps</b>', '#3366cc']);
  const { status, headers, text } = await branded.send({ method: 'GET', path: view.brand.mark });
  assert.deepEqual([status, headers['content-type']], [200, 'image/png']);
  assert.equal(headers['cache-control'], 'private, max-age=31536000, immutable');
  assert.match(text, /PNG/, 'drawn anew: no markup is served');
  assert.doesNotMatch(text, /script|alert/);
  await branded.close();
});

test('without a mark of the operator, the console shows its own', async () => {
  const { view } = await operator.send<object>({ method: 'GET', path: '/session' });
  assert.deepEqual(view, { brand: { name: 'App Registry' }, identityProvider: false });
});

test('logos are served here too, so that the console needs no other host', async () => {
  const { id } = await operator.data.newLogo();
  const { status, headers } = await get(`/logos/${id}`);
  assert.deepEqual([status, headers['content-type']], [200, 'image/png']);
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal((await get('/logos/logo_x')).refusal, '404 logo_not_found');
});
