import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { copyPackage, olderNode, Program } from '@appregistrar/testkit/programs/program';
import { freePort } from '@appregistrar/testkit/system/free-port';
import sharp from 'sharp';
import type { PlatformApp } from '../../contract/app.ts';
import type { PageOf } from '../../contract/page.ts';

let copy: Awaited<ReturnType<typeof copyPackage>>;
let address: string;
let dev: Program;

before(async () => {
  copy = await copyPackage({ withDependencies: true });
  address = `127.0.0.1:${await freePort()}`;
  const env = { PUBLIC_ADDRESS: address, OPERATOR_ADDRESS: `127.0.0.1:${await freePort()}` };
  dev = new Program([...olderNode(), join(copy.folder, 'bin/app-registry.js'), 'dev'], { env });
  await dev.until((stdout) => /--database-url/.exec(stdout));
});
after(async () => {
  dev.kill('SIGKILL');
  await dev.ended;
  await copy.remove();
});

test('dev prints commands that return 200 when they are pasted', async () => {
  const commands = curlCommands();
  assert.deepEqual(
    commands.map(({ method }) => method),
    ['PATCH', 'GET', 'GET'],
  );
  const names = [];
  for (const { url, ...init } of commands) {
    const response = await fetch(url, init);
    assert.equal(response.status, 200, url);
    const body = (await response.json()) as App | PageOf<App>;
    names.push(...('items' in body ? body.items : [body]).map(({ name }) => name));
  }
  assert.deepEqual(names, ['Invoice Sync', 'Invoice Sync', 'Weekly Digest', 'Standup Notes']);
});

test('dev prints a link whose code signs in to the console once', async () => {
  const [, console = '', code = ''] = /(http:\S+\/)#code=(\w+)/.exec(dev.stdout) ?? [];
  const signIn = () =>
    fetch(new URL('session', console), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: code }),
    });
  const first = await signIn();
  assert.equal(first.status, 204, await first.text());
  const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';');
  const apps = await fetch(new URL('operator/v1/apps', console), { headers: { cookie } });
  assert.equal(apps.status, 200);
  assert.equal((await signIn()).status, 401);
});

test('dev fills its registry with apps in every review state, with logos and installations', async () => {
  const apps = await Promise.all(appIds().map(getApp));
  const statuses = new Set(apps.map(({ reviewStatus }) => reviewStatus));
  assert.deepEqual([...statuses].toSorted(), ['APPROVED', 'AWAITING_REVIEW', 'DRAFT', 'REJECTED']);
  assert.ok(apps.some(({ installations }) => installations.some(({ enabled }) => !enabled)));
  assert.ok(apps.some(({ installations }) => installations.filter(({ enabled }) => enabled).length > 1));
  for (const { logoUrl = '' } of apps) {
    const response = await fetch(logoUrl);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const { format, width, height } = await sharp(new Uint8Array(await response.arrayBuffer())).metadata();
    assert.deepEqual({ format, width, height }, { format: 'png', width: 512, height: 512 });
  }
});

test('dev restarts the server when the source changes, with the same tokens and data', async () => {
  const [update, get] = curlCommands();
  assert.ok(update && get);
  const body = JSON.stringify({ name: 'Survivor' });
  assert.equal((await fetch(update.url, { ...update, body })).status, 200);
  const before = servers();
  const now = new Date();
  await utimes(join(copy.folder, 'src/log.ts'), now, now);
  await dev.until(() => servers() > before || null);
  const response = await fetch(get.url, get);
  assert.equal(response.status, 200);
  assert.equal(((await response.json()) as PlatformApp).name, 'Survivor');
  assert.equal(curlCommands().length, 3);
});

test('dev shuts down gracefully on SIGTERM, and deletes its database', async () => {
  const [, database = ''] = /sqlite:(\S+)\/registry\.db/.exec(dev.stdout) ?? [];
  assert.ok(existsSync(database));
  dev.kill('SIGTERM');
  const { status, stderr } = await dev.ended;
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.ok(!existsSync(database));
  await assert.rejects(fetch(`http://${address}/`));
});

type App = Pick<PlatformApp, 'name'>;

interface Request {
  method: string;
  url: string;
  headers: [string, string][];
  body?: string;
}

/** The requests that the printed curl commands make, after a shell has parsed them. */
function curlCommands(): Request[] {
  const lines = dev.stdout.split('\n').filter((line) => line.startsWith('curl '));
  return lines.map((line) => {
    const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
    return requestOf(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1));
  });
}

function requestOf(args: string[]): Request {
  const request: Request = { method: 'GET', url: '', headers: [] };
  const values = args.values();
  for (const argument of values) {
    const value = () => values.next().value ?? '';
    if (argument === '-i') continue;
    else if (argument === '-X') request.method = value();
    else if (argument === '-d') request.body = value();
    else if (argument === '-H') request.headers.push(value().split(': ', 2) as [string, string]);
    else request.url = argument;
  }
  return request;
}

function appIds(): string[] {
  const [list = ''] = dev.stdout.split('Update an app');
  return list.match(/app_[0-7][0-9a-hjkmnp-tv-z]{25}/g) ?? [];
}

async function getApp(id: string): Promise<PlatformApp> {
  const get = curlCommands().find(({ method }) => method === 'GET');
  assert.ok(get);
  const response = await fetch(get.url.replace(/app_\w+/, id), get);
  return (await response.json()) as PlatformApp;
}

/** The number of servers started so far, according to their log. */
function servers(): number {
  return dev.stdout.match(/"msg":"serving"/g)?.length ?? 0;
}
