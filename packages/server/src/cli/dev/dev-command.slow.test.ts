import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { copyPackage, olderNode, Program } from '@appregistrar/testkit/programs/program';
import { freePort } from '@appregistrar/testkit/system/free-port';
import sharp from 'sharp';
import type { PlatformApp } from '../../features/apps/app-schemas.ts';
import type { PageOf } from '../../kernel/page.ts';

let copy: Awaited<ReturnType<typeof copyPackage>>;
let address: string;
let dev: Program;

before(async () => {
  copy = await copyPackage({ withDependencies: true });
  address = `127.0.0.1:${await freePort()}`;
  const env = { PUBLIC_ADDRESS: address, OPERATOR_ADDRESS: `127.0.0.1:${await freePort()}` };
  dev = new Program([...olderNode(), join(copy.folder, 'bin/app-registry.js'), 'dev'], { env });
  await dev.until((stdout) => /webhook listen .*\n/.exec(stdout));
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
  assert.equal(restarts(), 0);
  const now = new Date();
  await utimes(join(copy.folder, 'src/log.ts'), now, now);
  await dev.until(() => restarts() > 0 || null);
  const response = await fetch(get.url, get);
  assert.equal(response.status, 200);
  assert.equal(((await response.json()) as PlatformApp).name, 'Survivor');
  assert.equal(curlCommands().length, 3);
});

test('dev prints only what a newcomer needs, and no log lines', () => {
  assert.doesNotMatch(dev.stdout, /^\{/m);
  assert.equal(dev.stderr, '');
});

test('dev accepts webhooks to this machine, and delivers to them', async () => {
  const hook = await HookReceiver.start();
  const [, operator = ''] = /operator API +(\S+)\/docs/.exec(dev.stdout) ?? [];
  const [, token = ''] = /operator token +(\S+)/.exec(dev.stdout) ?? [];
  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${operator}/operator/v1${path}`, init);
    assert.ok(response.ok, await response.clone().text());
    return (await response.json()) as { id: string };
  };
  const url = hook.url('/hook', 'localhost');
  const { id } = await call('/webhooks', { url, types: ['webhook.tested'] });
  await call(`/webhooks/${id}/test`, {});
  const [arrival] = await hook.untilArrived(1);
  assert.deepEqual([arrival?.path, arrival?.event.type], ['/hook', 'webhook.tested']);
  await hook.close();
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

function restarts(): number {
  return dev.stdout.match(/^Server restarted\.$/gm)?.length ?? 0;
}
