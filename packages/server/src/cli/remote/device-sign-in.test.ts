import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { confirmDevice } from '@appregistrar/testkit/identity-provider/confirm-device';
import { audience, OpenIdProvider } from '@appregistrar/testkit/identity-provider/openid-provider';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { readConfig } from '../../config/config.ts';
import { type Server, startServer } from '../../serve.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const people = { grace: 'app-registry:review', eve: 'newsletter:send' };

let openId: OpenIdProvider;
let data: RegistryFixture;
let server: Server;
let url: string;
let folder: string;
const log = new CapturedLog();
before(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  openId = await OpenIdProvider.start({ program: 'app-registry:read' }, { people, deviceClient: 'terminal' });
  data = await RegistryFixture.open(sqlite);
  server = await start({ OIDC_CLIENT_ID: 'console', OIDC_DEVICE_CLIENT_ID: 'terminal', OIDC_SIGN_IN_SCOPE: scopes });
  folder = await mkdtemp(join(tmpdir(), 'device-'));
});
beforeEach(() => rm(file(), { force: true }));
after(async () => {
  await server.stop();
  await data.close();
  await openId.stop();
  await rm(folder, { recursive: true });
  assert.doesNotMatch(log.text, /eyJ|user_code/);
});

const scopes = 'openid profile offline_access app-registry:review newsletter:send';
const file = () => join(folder, 'app-registry', 'tokens.json');

function start(environment: Record<string, string>): Promise<Server> {
  const config = readConfig({
    DATABASE_URL: data.databaseUrl,
    PUBLIC_ADDRESS: '127.0.0.1:0',
    OPERATOR_ADDRESS: new URL(url).host,
    OIDC_ISSUER: openId.issuer,
    OIDC_AUDIENCE: audience,
    OIDC_SIGN_IN_PARAMETERS: `resource=${encodeURIComponent(audience)}`,
    ...environment,
  });
  return startServer(config, log.logger);
}

test('login --device signs a person in at the provider, and later commands are theirs', async () => {
  const { status, stdout, stderr } = await login((page) => confirmDevice(page, { login: 'grace' }));
  assert.equal(status, 0, stderr);
  const { actor, scopes: granted, storedIn } = JSON.parse(stdout);
  assert.deepEqual([actor, granted, storedIn], ['oidc:grace', ['review'], file()]);
  assert.match(stderr, /^Open http:\S+\nand confirm the code \w{4}-\w{4}, within 10 minutes\.\n$/);
  assert.equal(JSON.parse((await run('whoami')).stdout).actor, 'oidc:grace');
});

test('an access token that the server refuses is renewed once, and stored', async () => {
  await login((page) => confirmDevice(page, { login: 'grace' }));
  const stored = await spoil({ accessToken: await openId.sign({ exp: 1 }) });
  assert.equal(JSON.parse((await run('whoami')).stdout).actor, 'oidc:grace');
  const renewed = (await readStored())[url];
  assert.notEqual(renewed.accessToken, stored.accessToken);
  assert.notEqual(renewed.refreshToken, stored.refreshToken);
  assert.equal(JSON.parse((await run('whoami')).stdout).actor, 'oidc:grace');
});

test('commands that renew at the same time all succeed, or say how to sign in again', async () => {
  await login((page) => confirmDevice(page, { login: 'grace' }));
  await spoil({ accessToken: await openId.sign({ exp: 1 }) });
  const results = await Promise.all([run('whoami'), run('whoami'), run('whoami')]);
  assert.ok(results.some(({ status }) => status === 0));
  for (const { status, stderr } of results) if (status !== 0) assert.match(stderr, /login --device/);
});

test('a sign-in that has ended says how to sign in again', async () => {
  await login((page) => confirmDevice(page, { login: 'grace' }));
  await spoil({ accessToken: await openId.sign({ exp: 1 }), refreshToken: 'gone' });
  const { status, stderr } = await run('whoami');
  assert.equal(status, 1);
  assert.equal(JSON.parse(stderr).code, 'token_required');
  assert.ok(JSON.parse(stderr).detail.includes(`login --device --url ${url}`));
});

test('logout ends the sign-in at the provider', async () => {
  await login((page) => confirmDevice(page, { login: 'grace' }));
  const { [url]: signIn } = await readStored();
  assert.deepEqual(JSON.parse((await run('logout')).stdout), { url, removed: true, endedAtProvider: true });
  await writeFile(file(), JSON.stringify({ [url]: { ...signIn, accessToken: await openId.sign({ exp: 1 }) } }));
  assert.equal(JSON.parse((await run('whoami')).stderr).code, 'token_required');
});

test('a sign-in that is aborted, or of a person without a scope, is refused and not stored', async () => {
  const aborted = await login((page) => confirmDevice(page, { login: 'grace', abort: true }));
  assert.deepEqual([aborted.status, problemOf(aborted.stderr).code], [1, 'sign_in_refused']);
  const eve = await login((page) => confirmDevice(page, { login: 'eve' }));
  assert.deepEqual([eve.status, problemOf(eve.stderr).code], [1, 'insufficient_scope']);
  await assert.rejects(readStored(), { code: 'ENOENT' });
});

test('a server that signs no one in by a device code, and a provider that does not respond, are reported', async () => {
  await openId.stop();
  const away = await login(async () => {});
  assert.deepEqual([away.status, problemOf(away.stderr).code], [1, 'server_unreachable']);
  await openId.resume();
  await server.stop();
  server = await start({ OIDC_CLIENT_ID: 'console' });
  const none = await login(async () => {});
  assert.deepEqual([none.status, problemOf(none.stderr).code], [1, 'token_required']);
  assert.match(problemOf(none.stderr).detail, /OIDC_DEVICE_CLIENT_ID/);
});

test('a server that names an identity provider without a usable URL is reported, and nothing is sent', async () => {
  for (const issuer of ['login.example.com', 'http://login.example.com', 7]) {
    const session = { deviceSignIn: { issuer, clientId: 'terminal', scope: '', parameters: {} } };
    const other = createServer((_request, response) => void response.end(JSON.stringify(session)));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const { status, stderr } = await run('login', { options: ['--device'], server: `http://127.0.0.1:${port}` });
    other.close();
    assert.deepEqual([status, problemOf(stderr).code], [1, 'token_required']);
    assert.match(problemOf(stderr).detail, /which is not an https: URL\. Nothing was sent\.$/);
  }
});

/** Runs `login --device`, and lets a person open the page that it names. */
async function login(confirm: (page: string) => Promise<unknown>) {
  return run('login', { options: ['--device'], onPage: confirm });
}

interface RunOptions {
  options?: string[];
  onPage?: (page: string) => Promise<unknown>;
  server?: string;
}

async function run(
  command: string,
  { options = [], onPage, server: address = url }: RunOptions = {},
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [main, command, ...options, '--url', address, '--json'], {
    env: { XDG_CONFIG_HOME: folder, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  let confirmed: Promise<unknown> | undefined;
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
    const page = /Open (\S+)\n/.exec(stderr)?.[1];
    if (page !== undefined) confirmed ??= onPage?.(page);
  });
  const status = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stdout = await text(child.stdout);
  const result = { status: await status, stdout, stderr };
  await confirmed;
  return result;
}

function problemOf(stderr: string): { code: string; detail: string } {
  return JSON.parse(stderr.slice(stderr.indexOf('{')));
}

async function readStored() {
  return JSON.parse(await readFile(file(), 'utf8'));
}

/** Replaces a part of the stored sign-in. Returns the one before, with that. */
async function spoil(part: object) {
  const all = await readStored();
  all[url] = { ...all[url], ...part };
  await writeFile(file(), JSON.stringify(all));
  return all[url];
}
