import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createProtectedName } from '@appregistrar/testkit/calls/protected-names';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { listStoredApps } from '@appregistrar/testkit/storage/storage-test';
import { commandLine } from '../../../kernel/registry.ts';
import type { OperatorApp } from '../app-schemas.ts';
import { listWarnings } from './app-warnings.ts';
import type { ReviewWarning } from './review-warning.ts';

const name = 'name';
const [login, callback] = ['oauthInfo.loginUrl', 'oauthInfo.callbackUrl'];

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let office: OperatorApp;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    office = await fixture.newApp({
      name: 'Microsoft Office',
      status: 'APPROVED',
      oauthInfo: { loginUrl: 'https://login.office.example/in', callbackUrl: 'https://office.example/back' },
    });
  });
  after(() => fixture.close());

  /** A new app of the other developer. */
  const newApp = (content: Parameters<RegistryFixture['newApp']>[0]) =>
    fixture.newApp({ developerId: fixture.otherDeveloper.id, ...content });
  const warnings = async ({ id }: OperatorApp): Promise<ReviewWarning[]> => {
    return (await getAppAsOperator(fixture.registry, id)).warnings;
  };
  const codes = async (app: OperatorApp) => (await warnings(app)).map(({ code, field }) => [code, field]);
  const change = (app: OperatorApp, update: object) =>
    updateAppAsOperator(fixture.registry, commandLine, { appId: app.id, update });

  describe('a name', () => {
    test('that looks like that of an approved app of another developer is named with that app', async () => {
      const app = await newApp({ name: 'Micr\u043esoft \u041effice' });
      assert.deepEqual(await warnings(app), [
        { code: 'name_mixes_scripts', field: name, detail: 'The name mixes letters of Cyrillic and Latin.' },
        {
          code: 'name_resembles',
          field: name,
          detail: `The name looks like "Microsoft Office", the name of ${office.id} of ${office.developerId}.`,
          otherAppId: office.id,
        },
      ]);
    });

    test('that looks like another one of its own developer, or of an app that is not approved, has no warning', async () => {
      assert.deepEqual(await codes(await fixture.newApp({ name: 'Micros0ft Office' })), []);
      assert.deepEqual(await codes(await newApp({ name: 'Mlcros0ft 0ffice Two' })), []);
      const ledger = await fixture.newApp({ name: 'Ledger', status: 'APPROVED' });
      const copy = await newApp({ name: 'Ledqer Ledger' });
      await change(copy, { name: 'L\u0435dger' });
      assert.deepEqual((await codes(copy)).at(-1), ['name_resembles', name]);
      await fixture.review(ledger.id, 'revoke');
      assert.deepEqual(await codes(copy), [['name_mixes_scripts', name]]);
    });

    test('is compared with the approved name of an app that has another one by now', async () => {
      const renamed = await fixture.newApp({ name: 'Timesheets', status: 'APPROVED' });
      await change(renamed, { name: 'Another name' });
      const [warning] = await warnings(await newApp({ name: 'T1mesheets' }));
      assert.equal(warning?.otherAppId, renamed.id);
      assert.match(warning.detail, /looks like "timesheets"/);
      assert.deepEqual(await codes(await newApp({ name: 'An0ther name' })), []);
    });
  });

  describe('a host', () => {
    const at = (loginUrl: string) => ({ oauthInfo: { loginUrl } });

    test('that an approved app of another developer has, or one that looks like it, is named with that app', async () => {
      const same = await warnings(await newApp(at('https://login.office.example/other')));
      assert.deepEqual(same, [
        {
          code: 'host_shared',
          field: login,
          detail: `The host login.office.example is also that of ${office.id} of ${office.developerId}.`,
          otherAppId: office.id,
        },
      ]);
      const [similar] = await warnings(await newApp(at('https://login.0ffice.example/')));
      assert.deepEqual([similar?.code, similar?.otherAppId], ['host_resembles', office.id]);
      assert.match(similar?.detail ?? '', /login\.0ffice\.example looks like that of (login\.)?office\.example/);
    });

    test('is compared by its site, which customers of one hosting domain do not share', async () => {
      const sites: [url: string, other: string, code: string | undefined][] = [
        ['https://login.ours.com/', 'https://auth.ours.com/', 'host_shared'],
        ['https://a.b.theirs.co.uk/', 'https://theirs.co.uk/', 'host_shared'],
        ['https://one.co.uk/', 'https://two.co.uk/', undefined],
        ['https://one.github.io/', 'https://two.github.io/', undefined],
        ['https://one.herokuapp.com/', 'https://two.herokuapp.com/', undefined],
        ['https://www.mine.github.io/', 'https://mine.github.io/', 'host_shared'],
        ['https://login.corner.com/', 'https://auth.comer.com/', 'host_resembles'],
        ['https://corner.github.io/', 'https://www.comer.github.io/', 'host_resembles'],
        ['https://github.io/', 'https://three.github.io/', undefined],
        ['https://192.0.2.7/', 'https://192.0.2.8/', undefined],
      ];
      for (const [url, other, code] of sites) {
        await fixture.newApp({ status: 'APPROVED', ...at(url) });
        const found = (await codes(await newApp(at(other)))).flatMap(([one]) => one ?? []);
        assert.equal(
          found.find((one) => one === 'host_shared' || one === 'host_resembles'),
          code,
          `${url} ${other}`,
        );
      }
    });

    test('in Punycode is shown and compared as its Unicode form', async () => {
      const app = await newApp(at(new URL('https://login.\u043effice.example/').href));
      assert.deepEqual(await codes(app), [
        ['host_is_punycode', login],
        ['host_resembles', login],
      ]);
      assert.match((await warnings(app))[0]?.detail ?? '', /reads as login\.\u043effice\.example/);
    });

    test('that is an IP address gets exactly that warning', async () => {
      const urls = { loginUrl: 'https://192.0.2.1/', callbackUrl: 'https://[2001:db8::1]/' };
      assert.deepEqual(await codes(await newApp({ oauthInfo: urls })), [
        ['host_is_ip_address', login],
        ['host_is_ip_address', callback],
      ]);
    });

    test('that has changed since the approval is named with the earlier one, and a changed path is not', async () => {
      const app = await newApp({ status: 'APPROVED', oauthInfo: { callbackUrl: 'https://one.example/' } });
      assert.deepEqual(await codes(app), []);
      await change(app, { oauthInfo: { callbackUrl: 'https://one.example/other' } });
      assert.deepEqual(await codes(app), []);
      await change(app, { oauthInfo: { callbackUrl: 'https://two.example/', loginUrl: 'https://two.example/' } });
      assert.deepEqual(
        (await warnings(app)).map(({ detail }) => detail),
        [
          'The host is two.example. When approved, there was none.',
          'The host is two.example. When approved, it was one.example.',
        ],
      );
    });
  });

  test('a host that has changed since the approval has a warning if it is of a different site', async () => {
    const changes: [from: string, to: string, isChanged: boolean][] = [
      ['https://login.acme.com/', 'https://auth.acme.com/', false],
      ['https://acme.com./', 'https://acme.com/', false],
      ['https://acme.co.uk/', 'https://evil.co.uk/', true],
      ['https://acme.github.io/', 'https://evil.github.io/', true],
      ['https://192.0.2.1/', 'https://192.0.2.2/', true],
    ];
    for (const [callbackUrl, next, isChanged] of changes) {
      const app = await newApp({ status: 'APPROVED', oauthInfo: { callbackUrl } });
      await change(app, { oauthInfo: { callbackUrl: next } });
      assert.equal(
        (await codes(app)).some(([code]) => code === 'host_changed'),
        isChanged,
        `${callbackUrl} ${next}`,
      );
    }
  });

  describe('a protected', () => {
    before(async () => {
      const developerIds = [fixture.developer.id];
      await createProtectedName(fixture.registry, commandLine, {
        name: 'Acme Pay',
        developerIds,
        note: 'A trademark.',
      });
      await createProtectedName(fixture.registry, commandLine, { host: 'acme.test', developerIds });
    });

    for (const used of [
      'Acme Pay',
      'ACMEPAY',
      'Acme Pay for Shops',
      'The Acme-Pay: Acme Pay!',
      '\u0410cme P\u0430y',
      `${[...'Acme'].join('\u200d')} Pay one by one`,
      '\u24b6cme P\u24d0y in circles',
      'A c m e P a y for Shops',
    ]) {
      test(`name is found in ${JSON.stringify(used)}`, async () => {
        const found = await warnings(await newApp({ name: used }));
        const [warning] = found.filter(({ code }) => code === 'name_protected');
        assert.match(warning?.detail ?? '', /protected name "Acme Pay"\. Note: A trademark\.$/);
      });
    }

    test('name may end with punctuation', async () => {
      const developerIds = [fixture.developer.id];
      await createProtectedName(fixture.registry, commandLine, { name: 'Acme++', developerIds });
      assert.deepEqual(await codes(await newApp({ name: 'Acme++ Tools' })), [['name_protected', 'name']]);
    });

    for (const other of ['Acme', 'Pay Acme', 'Acmes Payment', 'Acme Payments']) {
      test(`name is not found in ${JSON.stringify(other)}`, async () => {
        assert.deepEqual(await codes(await newApp({ name: other })), []);
      });
    }

    for (const [host, detail] of [
      ['acme.test', /acme\.test is protected: acme\.test/],
      ['pay.acme.test', /pay\.acme\.test is protected: acme\.test/],
      ['pay.acrne.test', /pay\.acrne\.test looks like a protected one: acme\.test/],
    ] as const) {
      test(`host is found in ${host}`, async () => {
        const [warning] = await warnings(await newApp({ oauthInfo: { loginUrl: `https://${host}/` } }));
        assert.equal(warning?.code, 'host_protected');
        assert.match(warning.detail, detail);
      });
    }

    test('name or host is free for the developers who may use it', async () => {
      const oauthInfo = { loginUrl: 'https://login.acme.test/' };
      assert.deepEqual(await codes(await fixture.newApp({ name: 'Acme Pay of its owner', oauthInfo })), []);
      assert.deepEqual(await codes(await newApp({ oauthInfo: { loginUrl: 'https://notacme.test/' } })), []);
    });
  });

  test('a page of apps takes four queries, and none without apps', async () => {
    const { reader } = fixture.registry.storage;
    const apps = await listStoredApps(reader);
    const countQueries = async (some: typeof apps) => {
      let count = 0;
      const rows: typeof reader.rows = (statement) => {
        count += 1;
        return reader.rows(statement);
      };
      const found = await listWarnings({ builder: reader.builder, rows }, some);
      assert.deepEqual(
        [...found.keys()],
        some.map(({ id }) => id),
      );
      return count;
    };
    assert.ok(apps.length > 20);
    assert.equal(await countQueries(apps), 4);
    assert.equal(await countQueries([]), 0);
  });
});
