import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { localServer } from '@appregistrar/testkit/http/local-server';
import { audience, OpenIdProvider } from '@appregistrar/testkit/identity-provider/openid-provider';
import {
  type CommandResult,
  jsonOf,
  refusalOf,
  runTyping,
  withVariables,
} from '@appregistrar/testkit/programs/command-line';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { ReceivedResponse } from '../../../../client/src/index.ts';
import { CookieBrowser } from '../../../test/http/cookie-browser.ts';
import { type ServedHere, serveHere } from '../../../test/programs/serve-here.ts';
import type { Caller } from '../../features/access/tokens.ts';
import { RenewedToken } from './remote-operations.ts';
import type { StoredSignIn } from './token-store.ts';

const people = { grace: 'app-registry:review', eve: 'newsletter:send' };
const scopes = 'openid profile offline_access app-registry:review newsletter:send';

// A later test begins with what an earlier one has stored.
describe('login --device', () => {
  let openId: OpenIdProvider;
  let data: RegistryFixture;
  let server: ServedHere;
  let url: string;
  let folder: string;
  const log = new CapturedLog();
  before(async () => {
    openId = await OpenIdProvider.start({ program: 'app-registry:read' }, { people, deviceClient: 'terminal' });
    data = await RegistryFixture.open(sqlite);
    server = await start();
    url = server.operatorUrl;
    folder = await mkdtemp(join(tmpdir(), 'device-'));
    await mkdir(join(folder, 'app-registry'));
  });
  after(async () => {
    await server.stop();
    await data.close();
    await openId.stop();
    await rm(folder, { recursive: true });
    assert.doesNotMatch(log.text, /eyJ|user_code/);
  });

  const file = () => join(folder, 'app-registry', 'tokens.json');
  const start = () => {
    const variables = {
      OIDC_ISSUER: openId.issuer,
      OIDC_AUDIENCE: audience,
      OIDC_SIGN_IN_PARAMETERS: `resource=${encodeURIComponent(audience)}`,
      OIDC_CLIENT_ID: 'console',
      OIDC_DEVICE_CLIENT_ID: 'terminal',
      OIDC_SIGN_IN_SCOPE: scopes,
    };
    return serveHere(data.databaseUrl, variables, log);
  };
  const run = (command: string, address = url, onPage: (page: string) => Promise<unknown> = async () => {}) => {
    const prompt = 'minutes.\n';
    const confirm = async (shown: string) => {
      await onPage(/Open (\S+)\n/.exec(shown)?.[1] ?? '');
      return '';
    };
    const args = [...command.split(' '), '--url', address, '--json'];
    return withVariables({ XDG_CONFIG_HOME: folder }, () => runTyping({ prompt, input: confirm }, ...args));
  };
  /** Signs a person in, who opens the page that the command names. */
  const login = (person: Parameters<typeof confirmDevice>[1], address = url) =>
    run('login --device', address, (page) => confirmDevice(page, person));
  const callerOf = async () => jsonOf<Caller>(await run('whoami')).actor;
  const readStored = async (): Promise<StoredSignIn> => JSON.parse(await readFile(file(), 'utf8'))[url];
  const store = (signIn: StoredSignIn) => writeFile(file(), JSON.stringify({ [url]: signIn }));
  /** Stores the present sign-in with an access token that has expired, and other changes. Returns the present one. */
  const spoil = async (changes: Partial<StoredSignIn> = {}) => {
    const present = await readStored();
    await store({ ...present, accessToken: await openId.sign({ exp: 1 }), ...changes });
    return present;
  };

  test('refuses and does not store a sign-in that is aborted, or of a person without a scope', async () => {
    assert.equal(problemOf(await login({ login: 'grace', abort: true })).code, 'sign_in_refused');
    assert.equal(problemOf(await login({ login: 'eve' })).code, 'insufficient_scope');
    await assert.rejects(readStored(), { code: 'ENOENT' });
  });

  test('signs a person in at the provider, and later commands are theirs', async () => {
    const { status, stdout, stderr } = await login({ login: 'grace' });
    assert.equal(status, 0, stderr);
    const { actor, scopes: granted, storedIn } = JSON.parse(stdout);
    assert.deepEqual([actor, granted, storedIn], ['oidc:grace', ['review'], file()]);
    assert.match(stderr, /^Open http:\S+\nand confirm the code \w{4}-\w{4}, within 10 minutes\.\n$/);
    assert.equal(await callerOf(), 'oidc:grace');
  });

  test('renews an access token that the server refuses once, and stores the new one', async () => {
    const before = await spoil();
    assert.equal(await callerOf(), 'oidc:grace');
    const renewed = await readStored();
    assert.notEqual(renewed.accessToken, before.accessToken);
    assert.notEqual(renewed.refreshToken, before.refreshToken);
    assert.equal(await callerOf(), 'oidc:grace');
    assert.deepEqual(await readStored(), renewed);
  });

  test('uses what another command has stored since it was refused, without the provider', async () => {
    const present = await readStored();
    const target = { url, token: null, folder: join(folder, 'app-registry'), hasDatabase: false };
    const renewed = new RenewedToken(target, { ...present, issuer: 'http://127.0.0.1:1', accessToken: 'earlier' });
    assert.equal(await renewed.token(), 'earlier');
    renewed.onResponse({ response: { status: 401 } } as ReceivedResponse);
    assert.equal(await renewed.token(), present.accessToken);
  });

  test('uses what a command that renews at the same time has stored', async () => {
    const present = await readStored();
    const other = await localServer(async (request, response) => {
      if (request.url === '/token') {
        // The other command gets the only response that the provider gives for this refresh token.
        await store(present);
        response.statusCode = 400;
      }
      const issuer = `http://${request.headers.host}`;
      const body =
        request.url === '/token' ? { error: 'invalid_grant' } : { issuer, token_endpoint: `${issuer}/token` };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });
    await spoil({ issuer: other.url });
    assert.equal(await callerOf(), 'oidc:grace');
    await other.close();
  });

  test('says how to sign in again once the sign-in has ended', async () => {
    const present = await spoil({ refreshToken: 'gone' });
    const { code, detail } = refusalOf(await run('whoami'));
    assert.equal(code, 'token_required');
    assert.ok(detail.includes(`login --device --url ${url}`));
    await store(present);
  });

  test('logout ends the sign-in at the provider', async () => {
    const signIn = await readStored();
    assert.deepEqual(jsonOf(await run('logout')), { url, removed: true, endedAtProvider: true });
    await store({ ...signIn, accessToken: await openId.sign({ exp: 1 }) });
    assert.equal(refusalOf(await run('whoami')).code, 'token_required');
  });

  test('reports a provider that does not respond', async () => {
    await openId.stop();
    assert.equal(problemOf(await login({ login: 'grace' })).code, 'server_unreachable');
    await openId.resume();
  });

  test('reports a server that signs no one in by a device code', async () => {
    const without = await localServer((_request, response) => response.end('{"deviceSignIn":null}'));
    const { code, detail } = problemOf(await login({ login: 'grace' }, without.url));
    await without.close();
    assert.equal(code, 'token_required');
    assert.match(detail, /OIDC_DEVICE_CLIENT_ID/);
  });

  test('reports a server that names an identity provider without a usable URL, and sends nothing', async () => {
    for (const issuer of ['login.example.com', 'http://login.example.com', 7]) {
      const session = { deviceSignIn: { issuer, clientId: 'terminal', scope: '', parameters: {} } };
      const other = await localServer((_request, response) => response.end(JSON.stringify(session)));
      const { code, detail } = problemOf(await login({ login: 'grace' }, other.url));
      await other.close();
      assert.equal(code, 'token_required');
      assert.match(detail, /which is not an https: URL\. Nothing was sent\.$/);
    }
  });
});

/** The problem details after what the command shows on the way. */
function problemOf({ status, stderr }: CommandResult): { code: string; detail: string } {
  assert.equal(status, 1, stderr);
  return JSON.parse(stderr.slice(stderr.indexOf('{')));
}

/** Opens the page that a device shows to a person, confirms its code, or aborts, and signs in. */
async function confirmDevice(
  address: string,
  { login, abort = false }: { login: string; abort?: boolean },
): Promise<void> {
  const browser = new CookieBrowser();
  const url = new URL(address);
  const code = url.searchParams.get('user_code') ?? '';
  const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(await (await browser.fetch(url)).text()) ?? [];
  const post = (to: URL, form: Record<string, string>) =>
    browser.fetch(to, { method: 'POST', body: new URLSearchParams(form) });
  const page = new URL(url.pathname, url);
  const confirmed = await post(page, { xsrf, user_code: code, ...(abort ? { abort: 'yes' } : { confirm: 'yes' }) });
  if (abort) return;
  const form = await browser.follow(confirmed, page);
  assert.equal(form.response.status, 200, await form.response.text());
  const { response } = await browser.follow(await post(form.url, { login }), form.url);
  assert.equal(response.status, 200);
}
