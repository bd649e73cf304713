import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { demoLogo } from '../cli/dev/demo-logo.ts';
import { forEachEngine } from '../testing/engines.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';
import { addLogo } from './add-logo.ts';
import { checkRegistry, InconsistentRegistry } from './check-registry.ts';
import { commandLine } from './registry.ts';
import { newId } from './type-id.ts';
import { updateApp } from './update-app.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let app: string;
  let installation: string;
  let logo: string;
  let token: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    const { registry, developer } = fixture;
    const image = await demoLogo(1, 2);
    logo = (await addLogo(registry, commandLine, { developerId: developer.userId, image })).id;
    const approved = await fixture.newApp({ status: 'APPROVED', name: 'Checked', logoId: logo });
    app = approved.id;
    installation = (await fixture.install(approved)).id;
    await fixture.install(approved);
    await updateApp(registry, commandLine, { appId: app, developerId: developer.userId, update: { logoId: null } });
    await fixture.newApp({ status: 'REJECTED' });
    token = (await fixture.newToken('developer')).id;
    await fixture.newToken('platform');
  });
  after(() => fixture.close());

  const repairedBy = async (breaking: string[], repairing: string[], check: () => Promise<void>) => {
    await breakRules(fixture.databaseUrl, breaking);
    try {
      await check();
    } finally {
      await breakRules(fixture.databaseUrl, repairing);
    }
  };

  test('what the rules have stored is found in order, and counted', async () => {
    const checked = { developers: 2, logos: 1, apps: 2, installations: 2, tokens: 2 };
    assert.deepEqual(await checkRegistry(fixture.registry), checked);
  });

  const wrong = newId('user');
  const cases: [what: string, () => { breaking: string; repairing: string; expected: string[] }][] = [
    ['a count', () => column('apps', app, 'installation_count', 5, 2, 'wrong_count')],
    [
      'the key of a name',
      () => ({
        breaking: `update apps set name_key = 'other', name_claim = 'other' where id = '${app}'`,
        repairing: `update apps set name_key = 'checked', name_claim = 'checked' where id = '${app}'`,
        expected: [`/apps/${app}/name_key not_allowed`],
      }),
    ],
    ['a claim', () => column('apps', app, 'name_claim', 'other', 'checked', 'not_allowed')],
    ['a claim that is missing', () => column('apps', app, 'name_claim', null, 'checked', 'not_allowed')],
    ['a revision', () => column('apps', app, 'platform_revision', 0, 3, 'not_allowed')],
    ['the revision of an approval', () => column('apps', app, 'approved_revision', 3, 1, 'not_allowed')],
    ['a review status', () => column('apps', app, 'review_status', 'NEW', 'APPROVED', 'not_allowed')],
    ['a time', () => column('apps', app, 'updated_at', 1, 9_999_999_999_999, 'not_allowed')],
    [
      'the developer of an app',
      () => column('apps', app, 'developer_id', wrong, fixture.developer.userId, 'not_found'),
    ],
    [
      'the developer of a logo',
      () => column('logos', logo, 'developer_id', wrong, fixture.developer.userId, 'not_found'),
    ],
    ['the logo of an app', () => column('apps', app, 'logo_id', newId('logo'), null, 'not_found')],
    [
      'the developer of a token',
      () => column('access_tokens', token, 'developer_id', wrong, fixture.developer.userId, 'not_found'),
    ],
    [
      'the workspace of an installation',
      () => column('installations', installation, 'workspace_id', wrong, newId('workspace'), 'invalid_format'),
    ],
    [
      'the user of an installation',
      () => column('installations', installation, 'user_id', 'nobody', newId('user'), 'invalid_format'),
    ],
    [
      'an installation of no app',
      () => ({
        breaking: `update installations set app_id = 'app_x' where id = '${installation}'`,
        repairing: `update installations set app_id = '${app}' where id = '${installation}'`,
        expected: [`/apps/${app}/installation_count wrong_count`, `/installations/${installation}/app_id not_found`],
      }),
    ],
    [
      'an id, and with it its event',
      () => ({
        breaking: `update installations set id = 'installation_x' where id = '${installation}'`,
        repairing: `update installations set id = '${installation}' where id = 'installation_x'`,
        expected: ['/installations/installation_x/id invalid_format', '/installations/installation_x event_missing'],
      }),
    ],
    ...['developers', 'logos', 'apps', 'installations', 'access_tokens'].map((table): (typeof cases)[number] => [
      `the event of a creation in ${table}`,
      () => {
        const ids = { developers: fixture.developer.userId, logos: logo, apps: app, installations: installation };
        const id = { ...ids, access_tokens: token }[table];
        return {
          breaking: `update events set subject_id = 'lost-${id}' where subject_id = '${id}'`,
          repairing: `update events set subject_id = '${id}' where subject_id = 'lost-${id}'`,
          expected: [`/${table}/${id} event_missing`],
        };
      },
    ]),
  ];
  for (const [what, make] of cases) {
    test(`a fault is found: ${what}`, async () => {
      const { breaking, repairing, expected } = make();
      await repairedBy([breaking], [repairing], async () => assert.deepEqual(await faultsOf(), expected));
    });
  }

  test('a fault is found: what was approved is no content', async () => {
    const reader = fixture.registry.storage.reader;
    const query = reader.builder.selectFrom('apps').select('approved_content').where('id', '=', app);
    const [row] = await reader.rows(query.compile());
    for (const text of ['{', 'null', '{"name":5}']) {
      const { breaking, repairing, expected } = column(
        'apps',
        app,
        'approved_content',
        text,
        row?.approved_content ?? '',
        'not_allowed',
      );
      await repairedBy([breaking], [repairing], async () => assert.deepEqual(await faultsOf(), expected));
    }
  });

  test('very many faults are counted, and the first 1,000 told', async () => {
    const rows = Array.from({ length: 1_200 }, () => `('${newId('app')}', '${app}', 'w', 'u', 1, 0)`);
    const values = rows.map((row, at) => row.replace("'w'", `'w${at}'`)).join(', ');
    const insert = `insert into installations (id, app_id, workspace_id, user_id, enabled, created_at) values ${values}`;
    await repairedBy([insert], [`delete from installations where user_id = 'u'`], async () => {
      await assert.rejects(checkRegistry(fixture.registry), (error) => {
        assert.ok(error instanceof InconsistentRegistry);
        assert.equal(error.findings.length, 1_000);
        // Of each: its id, its workspace, its user and its event; and the count of the app.
        assert.match(error.message, /has 4801 faults, of which the first 1000 are told/);
        return true;
      });
    });
    assert.deepEqual(await faultsOf(), []);
  });

  async function faultsOf(): Promise<string[]> {
    try {
      await checkRegistry(fixture.registry);
      return [];
    } catch (error) {
      if (!(error instanceof InconsistentRegistry)) throw error;
      return error.findings.map(({ pointer, code }) => `${pointer} ${code}`);
    }
  }
});

type Value = string | number | null;

/** Sets one column of one row, and back. */
function column(table: string, id: string, name: string, ...[to, back, code]: [to: Value, back: Value, code: string]) {
  const set = (value: Value) =>
    `update ${table} set ${name} = ${typeof value === 'string' ? `'${value}'` : value} where id = '${id}'`;
  return { breaking: set(to), repairing: set(back), expected: [`/${table}/${id}/${name} ${code}`] };
}

/** Executes SQL with the rules of the database itself turned off. */
async function breakRules(url: string, statements: string[]): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { enableForeignKeyConstraints: false });
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query("set session_replication_role = 'replica'");
  for (const statement of statements) await client.query(statement);
  await client.end();
}
