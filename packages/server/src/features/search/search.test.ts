import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, restoreApp } from '@appregistrar/testkit/calls/apps';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { search } from '@appregistrar/testkit/calls/search';
import { eraseDeveloper } from '@appregistrar/testkit/calls/suspension';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { sql } from 'kysely';
import { decodeTypeId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { updateApp } from '../apps/update-app.ts';
import type { SearchHit } from './search-result.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let apps: Map<string, OperatorApp>;
  const named = (name: string) => apps.get(name) ?? assert.fail(name);
  before(async () => {
    fixture = await RegistryFixture.open(engine, { webhookAllowPrivate: true });
    apps = new Map();
    const hosts: Record<string, string> = {
      'Invoice Sync': 'https://login.invoices.example:8443/start?a=b',
      Invoice: 'https://invoices.example?state=1',
      'Paper Trail': 'https://auth.trail.example/cb',
    };
    for (const name of [...names, ...Object.keys(hosts)]) {
      const loginUrl = hosts[name];
      apps.set(name, await fixture.newApp({ name, ...(loginUrl && { oauthInfo: { loginUrl } }) }));
    }
  });
  after(() => fixture.close());

  const find = async (q: string, limit = 20) =>
    (await search(fixture.registry, { query: { q, limit }, isAdmin: true })).items;
  const appsFor = async (q: string, limit?: number) =>
    (await find(q, limit)).flatMap((hit) => (hit.type === 'app' ? hit.name : []));
  const hostsFor = async (q: string) => (await find(q)).flatMap((hit) => (hit.type === 'host' ? hit.host : []));
  const emailsFor = async (q: string) => (await find(q)).flatMap((hit) => (hit.type === 'developer' ? hit.email : []));

  test('names are found by any word, in any case and order, the exact name first and the starts of words before other parts', async () => {
    assert.deepEqual(await appsFor('invoice'), ['Invoice', 'Invoice Sync', 'Great Invoices', 'Preinvoice']);
    assert.deepEqual(await appsFor('SYNC'), ['Invoice Sync']);
    assert.deepEqual(await appsFor('sync  invoice'), ['Invoice Sync']);
    assert.deepEqual(await appsFor('great sync'), []);
  });

  test('names are found by a part in the middle of a word', async () => {
    assert.deepEqual(await appsFor('voic'), ['Invoice', 'Preinvoice', 'Invoice Sync', 'Great Invoices']);
    assert.deepEqual(await appsFor('voices'), ['Great Invoices']);
    // All of its trigrams are in one name, and it is not.
    assert.deepEqual(await appsFor('abcabd'), []);
  });

  test('two letters are found anywhere, and one at the start of a word', async () => {
    assert.deepEqual(await appsFor('oi'), ['Invoice', 'Preinvoice', 'Invoice Sync', 'Great Invoices']);
    assert.deepEqual(await appsFor('ce'), ['Invoice', 'Preinvoice', 'Invoice Sync', 'Great Invoices']);
    assert.deepEqual(await appsFor('s'), ['Straße', 'Invoice Sync']);
    assert.deepEqual(await appsFor('in sy'), ['Invoice Sync']);
  });

  test('names without spaces between words are found by one or two characters', async () => {
    assert.deepEqual(await appsFor('書'), ['株式会社請求書']);
    assert.deepEqual(await appsFor('請求'), ['株式会社請求書']);
    assert.deepEqual(await appsFor('会社請求'), ['株式会社請求書']);
    assert.deepEqual(await appsFor('求請'), []);
  });

  test('names and people are found by each start of each of their words, in any case, with accents or without', async () => {
    const people = ['Marie-Ève Müller', 'Олег Йовович', 'Ανδρέας Προς', 'Łukasz Ångström', 'İpek Çağlar'];
    const given = ['Προσφορές Ελλάς', 'Crème Brûlée', 'ΟΔΟΣ', 'Übersicht Größe', 'Ёлка', 'ガイド', ...people];
    for (const [at, name] of given.entries()) {
      await fixture.newApp({ name });
      const [firstName = '', lastName = ''] = name.split(' ');
      const body = { email: `person${at}@example.com`, firstName, ...(lastName && { lastName }) };
      await createDeveloper(fixture.registry, commandLine, body);
    }
    const plain = (text: string) =>
      text
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .normalize('NFC');
    for (const [at, name] of given.entries()) {
      for (const word of name.split(' ')) {
        for (const length of new Set([2, word.length - 1, word.length])) {
          const start = word.slice(0, length);
          const spellings = [start, start.toLowerCase(), start.toUpperCase(), start.normalize('NFD')];
          for (const q of [...spellings, ...(/\p{Script=Katakana}/u.test(start) ? [] : spellings.map(plain))]) {
            assert.ok((await appsFor(q)).includes(name), `${q} finds ${name}`);
            assert.ok((await emailsFor(q)).includes(`person${at}@example.com`), `${q} finds ${name}`);
          }
        }
      }
      const turned = name.split(' ').toReversed().join(' ');
      assert.ok((await appsFor(turned)).includes(name), turned);
      assert.ok((await emailsFor(turned)).includes(`person${at}@example.com`), turned);
    }
  });

  test('names are compared as their uniqueness is: by their key', async () => {
    assert.deepEqual(await appsFor('STRASSE'), ['Straße']);
    assert.deepEqual(await appsFor('ｉｎｖｏｉｃｅ　ｓｙｎｃ'), ['Invoice Sync']);
  });

  test('characters that are special in a search query of the engine are matched literally', async () => {
    assert.deepEqual(await appsFor(`O'Brien "& | !\\:*`), [`O'Brien "& | !\\:* (1)`]);
    for (const q of ['"', "'", '\\', ':*', '* OR *', 'name:x', '%', '_', '&|!', '(', '-', 'NEAR(a b)']) {
      assert.equal(
        (await appsFor(q)).every((name) => name.includes(q)),
        true,
        q,
      );
    }
  });

  test('hosts are found by any part, those that start with it first, and from a pasted URL', async () => {
    assert.deepEqual(await hostsFor('invoices'), ['invoices.example', 'login.invoices.example']);
    assert.deepEqual(await hostsFor('https://LOGIN.invoices.example/start'), ['login.invoices.example']);
    assert.deepEqual(await hostsFor('ail.exam'), ['auth.trail.example']);
    assert.deepEqual(await hostsFor('8443'), []);
    assert.deepEqual(await hostsFor('invoices login'), ['login.invoices.example']);
  });

  test('developers are found by parts of their email address and by their names', async () => {
    const { registry } = fixture;
    await createDeveloper(registry, commandLine, { email: 'Asa@Example.com', firstName: 'Åsa', lastName: 'Öberg' });
    assert.deepEqual(await emailsFor('ada@example.com'), ['ada@example.com']);
    assert.deepEqual(await emailsFor('ce@exam'), ['grace@example.com']);
    assert.deepEqual(await emailsFor('lovelace ada'), ['ada@example.com']);
    for (const q of ['åsa', 'ÅSA öberg', 'ASA@example']) assert.deepEqual(await emailsFor(q), ['Asa@Example.com'], q);
  });

  test('a changed name, host or email address is found, and the former one is not', async () => {
    const { registry, developer } = fixture;
    const app = named('Paper Trail');
    const update = { name: 'Kanban Board', oauthInfo: { loginUrl: 'https://kanban.example/' } };
    await updateApp(registry, commandLine, { appId: app.id, developerId: developer.id, update });
    assert.deepEqual(await appsFor('kanban'), ['Kanban Board']);
    assert.deepEqual(await appsFor('paper'), []);
    assert.deepEqual(await hostsFor('trail.example'), []);
    assert.deepEqual(await hostsFor('kanban'), ['kanban.example']);
  });

  test('a deleted app is found and marked, and restored as any other', async () => {
    const { id } = named('Zebra');
    await deleteApp(fixture.registry, commandLine, { appId: id });
    const [hit] = await find('zebra');
    assert.ok(hit?.type === 'app' && hit.id === id && hit.deletedAt !== undefined);
    await restoreApp(fixture.registry, commandLine, id);
    assert.deepEqual(
      (await find('zebra')).map((one) => 'deletedAt' in one),
      [false],
    );
  });

  test('everything is found by its id or UUID or the start of one, and apps and developers by any part of their ids', async () => {
    const { registry, developer } = fixture;
    const app = await fixture.newApp({ status: 'APPROVED' });
    const installation = await fixture.install(app);
    const logo = await fixture.newLogo();
    const webhook = await createWebhook(registry, commandLine, { url: 'http://127.0.0.1:9/hook', name: 'Billing' });
    const token = await fixture.newToken('platform', { name: 'Storefront' });
    const ids = [
      ['app', app.id],
      ['developer', developer.id],
      ['workspace', installation.workspaceId],
      ['installation', installation.id],
      ['logo', logo.id],
      ['webhook', webhook.id],
      ['token', token.id],
    ] as const;
    for (const [type, id] of ids) {
      const { uuid = '' } = decodeTypeId(id) ?? {};
      for (const q of [id, ` ${id.toUpperCase()} `, uuid]) {
        assert.deepEqual(
          (await find(q)).map((hit) => hit.type),
          [type],
          q,
        );
      }
    }
    assert.deepEqual(
      (await find('billing')).map(({ type }) => type),
      ['webhook'],
    );
    for (const [type, id] of ids) {
      const { uuid = '' } = decodeTypeId(id) ?? {};
      const start = id.slice(0, -4);
      for (const q of [start, start.toUpperCase(), start.slice(start.indexOf('_') + 1), uuid.slice(0, -4)]) {
        assert.ok(
          (await find(q)).some((hit) => hit.type === type && Object.values(hit).includes(id)),
          q,
        );
      }
    }
    for (const [type, id] of ids.slice(0, 2)) {
      for (const part of [id.slice(-8), id.slice(-12, -4), id.slice(-14).toUpperCase()]) {
        assert.ok(
          (await find(part)).some((hit) => hit.type === type && Object.values(hit).includes(id)),
          part,
        );
      }
    }
  });

  test('the name and the address of a webhook are found by their words, in any case and order', async () => {
    const { id } = await createWebhook(fixture.registry, commandLine, {
      url: 'http://127.0.0.1:9/ledger',
      name: 'Émissions Σειράς',
    });
    for (const q of ['emissions', 'ΣΕΙΡΑ', 'σειρας émis', 'ledger σειράς', id.slice(-8)]) {
      assert.deepEqual(
        (await find(q)).map((hit) => 'id' in hit && hit.id),
        [id],
        q,
      );
    }
  });

  test('webhooks and tokens are found only with the scope admin', async () => {
    const seen = async (q: string) =>
      (await search(fixture.registry, { query: { q }, isAdmin: false })).items.map(({ type }) => type);
    const webhook = (await find('billing'))[0] as SearchHit & { id: string };
    assert.deepEqual(await seen('billing'), []);
    assert.deepEqual(await seen(webhook.id), []);
  });

  test('the best of each type come first, and pages lead to all others, forwards and backwards', async () => {
    const page = (query: object) => search(fixture.registry, { query: { q: 'invoice', ...query }, isAdmin: true });
    const all = (await page({ limit: 100 })).items;
    assert.deepEqual(
      all.slice(0, 4).map(({ type }) => type),
      ['app', 'host', 'app', 'host'],
    );
    const pages = [await page({ limit: 2 })];
    for (let next = pages[0]?.nextCursor; next; next = pages.at(-1)?.nextCursor) {
      pages.push(await page({ limit: 2, cursor: next }));
    }
    assert.deepEqual(
      pages.flatMap(({ items }) => items),
      all,
    );
    assert.deepEqual(await page({ limit: 2, cursor: pages[1]?.prevCursor }), pages[0]);
  });

  test('only the wanted types are found', async () => {
    const { items } = await search(fixture.registry, {
      query: { q: 'ex', type: ['host', 'developer'] },
      isAdmin: true,
    });
    assert.deepEqual([...new Set(items.map(({ type }) => type))].toSorted(), ['developer', 'host']);
  });

  test('without a text, or with one that is too long, the search is refused', async () => {
    const run = (query: object) => () => search(fixture.registry, { query, isAdmin: true });
    for (const [query, error] of [
      [{}, 'q required'],
      [{ q: '' }, 'q too_short'],
      [{ q: 'x'.repeat(255) }, 'q too_long'],
      [{ q: 'x', limit: 101 }, 'limit not_allowed'],
    ] as const) {
      const failure = await assertRefused(fixture.registry, run(query), 'invalid_content');
      assert.deepEqual(validationErrorsOf(failure), [error]);
    }
    assert.deepEqual(await find(' '), []);
  });

  test('an erased developer is no longer found by what was erased', async () => {
    const { registry, otherDeveloper } = fixture;
    await eraseDeveloper(registry, commandLine, otherDeveloper.id);
    assert.deepEqual(await emailsFor('grace'), []);
    const { reader } = registry.storage;
    const texts = sql`select person from search_texts where person like '%grace%'`;
    assert.deepEqual(await reader.rows(texts.compile(reader.builder)), []);
  });
});

const names = [
  'Great Invoices',
  'Preinvoice',
  'Zebra',
  '株式会社請求書',
  'Straße',
  'abcab cabd',
  `O'Brien "& | !\\:* (1)`,
];
