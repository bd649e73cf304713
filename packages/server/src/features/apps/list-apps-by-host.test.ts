import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listApps, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    const add = (name: string, loginUrl: string, callbackUrl = loginUrl) =>
      fixture.newApp({ name, oauthInfo: { loginUrl, callbackUrl } });
    await add('Elsewhere', 'https://notevil.example/', 'https://evil.example.com/');
    await add('Both', 'https://b.evil.example/', 'https://a.evil.example/');
    await add('Same', 'https://evil.example/in', 'https://evil.example/back');
    await add('Below', 'https://x.y.evil.example/');
    await add('Unicode', new URL('https://m\u00fcnchen.example/').href);
    await add('Address', 'https://127.0.0.1/', 'https://[::1]/');
    const moved = await fixture.newApp({
      name: 'Moved',
      status: 'APPROVED',
      oauthInfo: { loginUrl: 'https://c.evil.example/' },
    });
    const update = { oauthInfo: { loginUrl: 'https://c.good.example/' } };
    await updateAppAsOperator(fixture.registry, commandLine, { appId: moved.id, update });
  });
  after(() => fixture.close());

  /** The names on each page. */
  async function pages(filter: object): Promise<string[][]> {
    const found: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await listApps(fixture.registry, { ...filter, cursor });
      found.push(page.items.map(({ name }) => name));
      cursor = page.nextCursor;
      if (cursor === undefined) return found;
    }
  }
  const names = async (filter: object) => (await pages(filter)).flat();

  test('finds the apps whose current or approved address is at a host or below it, each once', async () => {
    assert.deepEqual(await names({ host: 'evil.example' }), ['Same', 'Both', 'Moved', 'Below']);
    assert.deepEqual(await names({ host: 'c.good.example' }), ['Moved']);
    assert.deepEqual(await names({ host: 'B.evil.example.' }), ['Both']);
    assert.deepEqual(await names({ host: 'il.example' }), []);
    assert.deepEqual(await names({ host: 'm\u00fcnchen.example' }), ['Unicode']);
    assert.deepEqual(await names({ host: 'xn--mnchen-3ya.example' }), ['Unicode']);
    for (const host of ['127.0.0.1', '[::1]', 'https://127.1']) assert.deepEqual(await names({ host }), ['Address']);
    assert.deepEqual(await names({ host: '0.0.1' }), []);
  });

  test('is paged in both directions, and a page may have fewer apps than its limit', async () => {
    const expected = ['Same', 'Both', 'Moved', 'Below'];
    for (const limit of [1, 2, 3, 4, 5]) {
      assert.deepEqual(await names({ host: 'evil.example', limit }), expected, `limit ${limit}`);
    }
    assert.deepEqual((await pages({ host: 'evil.example', limit: 1 })).length > expected.length, true);
    let page = await listApps(fixture.registry, { host: 'evil.example', limit: 2 });
    const forth = [page.items];
    for (; page.nextCursor; forth.push(page.items)) {
      page = await listApps(fixture.registry, { host: 'evil.example', limit: 2, cursor: page.nextCursor });
    }
    const back = [page.items];
    for (; page.prevCursor; back.unshift(page.items)) {
      page = await listApps(fixture.registry, { host: 'evil.example', limit: 2, cursor: page.prevCursor });
    }
    assert.deepEqual(back.flat(), forth.flat());
  });

  test('combines with every other filter', async () => {
    const host = 'evil.example';
    assert.deepEqual(await names({ host, status: ['APPROVED'], limit: 1 }), ['Moved']);
    assert.deepEqual(await names({ host, changedSinceApproval: true }), ['Moved']);
    assert.deepEqual(await names({ host, name: 'b' }), ['Both', 'Below']);
    assert.deepEqual(await names({ host, developerId: fixture.otherDeveloper.id }), []);
  });

  test('refuses an invalid host, together with all other errors', async () => {
    const input = { host: 'evil.example/path', developerId: 'nobody' };
    const failure = await assertRefused(fixture.registry, () => listApps(fixture.registry, input), 'invalid_content');
    assert.deepEqual(
      failure.errors?.map(({ parameter, code }) => [parameter, code]),
      [
        ['developerId', 'invalid_format'],
        ['host', 'invalid_format'],
      ],
    );
  });
});
