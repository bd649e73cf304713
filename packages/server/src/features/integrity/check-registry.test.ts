import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { deleteApp } from '@appregistrar/testkit/calls/apps';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { forEachEngine, postgres } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import pg from 'pg';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { AppRow } from '../../storage/tables.ts';
import { openSession } from '../access/browser-sessions.ts';
import { updateApp } from '../apps/update-app.ts';
import { checkRegistry, InconsistentRegistry } from './check-registry.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let app: string;
  let installation: string;
  let logo: string;
  let token: string;
  let platformToken: string;
  let session: string;
  let otherLogo: string;
  let revoked: string;
  let rejected: string;
  let waiting: string;
  let deleted: AppRow;
  let waitingSince: number;
  let approvedContent: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    const { registry, developer } = fixture;
    logo = (await fixture.newLogo()).id;
    const approved = await fixture.newApp({ status: 'APPROVED', name: 'Checked', logoId: logo });
    app = approved.id;
    installation = (await fixture.install(approved)).id;
    await fixture.install(approved);
    await updateApp(registry, commandLine, { appId: app, developerId: developer.userId, update: { logoId: null } });
    rejected = (await fixture.newApp({ status: 'REJECTED' })).id;
    token = (await fixture.newToken('developer')).id;
    platformToken = (await fixture.newToken('platform')).id;
    await openSession(registry, token);
    session = (await rowsOf(registry.storage, 'sessions'))[0]?.hash ?? '';
    await updateApp(
      registry,
      { actor: token, requestId: null, idempotency: { key: 'key', onReplay: assert.fail } },
      {
        appId: rejected,
        developerId: developer.userId,
        update: { name: 'Rejected' },
      },
    );
    otherLogo = (await fixture.newLogo(fixture.otherDeveloper.userId)).id;
    const another = await fixture.newApp({ status: 'APPROVED' });
    revoked = another.id;
    waiting = (await fixture.install(another)).id;
    const step = { step: 'revoke', details: { reason: 'It sends spam.', disableInstallations: true } } as const;
    await reviewApp(registry, commandLine, { appId: revoked, ...step });
    const deletedApp = await fixture.newApp({ status: 'APPROVED', name: 'Deleted', logoId: logo });
    await deleteApp(registry, commandLine, { appId: deletedApp.id });
    const row = (await rowsOf(registry.storage, 'apps')).find(({ id }) => id === app);
    waitingSince = row?.waiting_since ?? 0;
    approvedContent = row?.approved_content ?? '';
    deleted = JSON.parse((await rowsOf(registry.storage, 'deleted_apps'))[0]?.row ?? '');
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

  test('a registry that the operations wrote has no inconsistency, and its objects are counted', async () => {
    const checked = { developers: 2, logos: 2, apps: 3, deletedApps: 1, installations: 3, tokens: 2 };
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
        expected: [`/apps/${app}/name_key not_allowed`, ...untriggered('not_found')],
      }),
    ],
    ['a claim', () => claim('other', 'not_found')],
    ['a claim that is missing', () => claim(null, 'not_allowed')],
    ['a revision', () => column('apps', app, 'platform_revision', 0, 3, 'not_allowed')],
    ['the revision of an approval', () => column('apps', app, 'approved_revision', 3, 1, 'not_allowed')],
    ['a review status', () => column('apps', app, 'review_status', 'NEW', 'APPROVED', 'not_allowed')],
    ['a time', () => column('apps', app, 'updated_at', 1, 9_999_999_999_999, 'not_allowed')],
    [
      'the developer of an app',
      () => column('apps', revoked, 'developer_id', wrong, fixture.developer.userId, 'not_found'),
    ],
    [
      'the developer of a logo',
      () => column('logos', otherLogo, 'developer_id', wrong, fixture.otherDeveloper.userId, 'not_found'),
    ],
    ['the logo of an app', () => column('apps', app, 'logo_id', newId('logo'), null, 'not_found')],
    ['a logo of another developer', () => column('apps', app, 'logo_id', otherLogo, null, 'not_allowed')],
    ['a logo that was approved, of another developer', () => approvedLogo(otherLogo, 'not_allowed')],
    ['a logo that was approved and is missing', () => approvedLogo(newId('logo'), 'not_found')],
    ['a deleted app that is no JSON', () => deletedRow('{', '/row invalid_format')],
    ['a deleted app that is no app', () => deletedRow('[]', '/row invalid_format')],
    [
      'a deleted app without a column',
      () => deletedRow(JSON.stringify({ ...deleted, name: undefined }), '/row invalid_format'),
    ],
    ['a deleted app with a text for a number', () => deletedColumn({ revision: '1' }, '/row invalid_format')],
    ['a deleted app of another id', () => deletedColumn({ id: app }, '/row/id not_allowed')],
    [
      'a deleted app of two developers',
      () =>
        deletedColumn(
          { developer_id: fixture.otherDeveloper.userId },
          '/row/developer_id not_allowed',
          '/row/logo_id not_allowed',
          '/row/approved_content/logo_id not_allowed',
        ),
    ],
    [
      'a deleted app with a count',
      () => deletedColumn({ installation_count: 1 }, '/row/installation_count not_allowed'),
    ],
    [
      'a deleted app that claims its name',
      () => deletedColumn({ name_claim: 'deleted' }, '/row/name_claim not_allowed'),
    ],
    ['the status of a deleted app', () => deletedColumn({ review_status: 'NEW' }, '/row/review_status not_allowed')],
    ['the key of the name of a deleted app', () => deletedColumn({ name_key: 'x' }, '/row/name_key not_allowed')],
    ['the logo of a deleted app', () => deletedColumn({ logo_id: newId('logo') }, '/row/logo_id not_found')],
    [
      'the developer of a deleted app',
      () => ({
        ...column('deleted_apps', deleted.id, 'developer_id', wrong, fixture.developer.userId, 'not_found'),
        expected: ['/row/developer_id not_allowed', '/developer_id not_found'].map((end) => deletedAt(end)),
      }),
    ],
    [
      'a deleted app that also exists',
      () => ({
        ...column('deleted_apps', deleted.id, 'id', app, deleted.id, ''),
        repairing: `update deleted_apps set id = '${deleted.id}'`,
        expected: [
          `/deleted_apps/${app}/row/id not_allowed`,
          `/deleted_apps/${app} already_exists`,
          `/deleted_apps/${app} event_missing`,
          `/search_texts/${deleted.id} not_found`,
        ],
      }),
    ],
    [
      'a search text',
      () => ({
        breaking: `update search_texts set name = ' other  ' where subject_id = '${app}'`,
        repairing: `update search_texts set name = ' checked  ' where subject_id = '${app}'`,
        expected: [`/search_texts/${app} not_allowed`],
      }),
    ],
    [
      'the search text of a developer who is not found by it',
      () => ({
        breaking: `update search_texts set person = null where subject_id = '${fixture.developer.userId}'`,
        repairing: `update search_texts set person = ' ada@example.com ada lovelace  ' where subject_id = '${fixture.developer.userId}'`,
        expected: [`/search_texts/${fixture.developer.userId} not_allowed`],
      }),
    ],
    [
      'a search text of nothing',
      () => ({
        breaking: `insert into search_texts (subject_id, name) values ('app_x', ' x  ')`,
        repairing: `delete from search_texts where subject_id = 'app_x'`,
        expected: ['/search_texts/app_x not_found'],
      }),
    ],
    [
      'a name that an app is compared by',
      () => ({
        breaking: `update app_comparison_keys set value = 'other' where app_id = '${app}' and field = 'name'`,
        repairing: `update app_comparison_keys set value = 'checked' where app_id = '${app}' and field = 'name'`,
        expected: [`/app_comparison_keys/${app} not_allowed`],
      }),
    ],
    [
      'a name that no app is compared by',
      () => ({
        breaking: `insert into app_comparison_keys values ('app_x', 'current', 'name', 'name', 'x', 'x')`,
        repairing: `delete from app_comparison_keys where app_id = 'app_x'`,
        expected: ['/app_comparison_keys/app_x not_found'],
      }),
    ],
    [
      'a claim that only the table has',
      () => ({
        breaking: `insert into name_claims (name_key, app_id) values ('foreign', '${app}')`,
        repairing: `delete from name_claims where name_key = 'foreign'`,
        expected: [`/apps/${app}/name_claim not_allowed`],
      }),
    ],
    [
      'a claim that the table lacks',
      () => ({
        breaking: `delete from name_claims where name_key = 'checked'`,
        repairing: `insert into name_claims (name_key, app_id) values ('checked', '${app}')`,
        expected: [`/apps/${app}/name_claim not_found`],
      }),
    ],
    [
      'a change that waits, but not since its time',
      () => column('apps', app, 'waiting_since', 7, waitingSince, 'not_allowed'),
    ],
    [
      'a change that awaits a decision without a difference',
      () => ({
        ...column('apps', revoked, 'change_since', 7, 0, 'not_allowed'),
      }),
    ],
    ['the key of an approved name', () => approvedKey(app, 'checked')],
    ['the key of a name that was never approved', () => approvedKey(rejected, null)],
    ['a transfer of an app that is not approved', () => column('apps', revoked, 'transfer_since', 7, 0, 'not_allowed')],
    [
      'an approved app without approved content',
      () => ({
        breaking: `update apps set approved_content = null, approved_revision = null, approved_name_key = null, change_since = 0,
          waiting_since = 0 where id = '${app}'`,
        repairing: `update apps set approved_content = '${approvedContent}', approved_revision = 1, approved_name_key = 'checked',
          change_since = ${waitingSince}, waiting_since = ${waitingSince} where id = '${app}'`,
        expected: [`/apps/${app}/approved_content not_allowed`],
      }),
    ],
    [
      'a suspended app of a developer who is not suspended, whose installations are not either',
      () => ({
        ...column('apps', revoked, 'suspended_status', 'REJECTED', null, 'not_allowed'),
        expected: [
          `/apps/${revoked}/suspended_status not_allowed`,
          `/installations/${waiting}/disabled_by not_allowed`,
        ],
      }),
    ],
    [
      'an installation that a suspension has disabled without one',
      () => column('installations', waiting, 'disabled_by', 'revocation suspension', 'revocation', 'not_allowed'),
    ],
    [
      'a cause that is none',
      () => column('installations', waiting, 'disabled_by', 'revocation weather', 'revocation', 'not_allowed'),
    ],
    [
      'a suspended token of a developer who is not',
      () => column('access_tokens', token, 'suspended', 1, 0, 'not_allowed'),
    ],
    ['a block without a reason', () => column('logos', logo, 'blocked_at', 1, null, 'not_allowed')],
    [
      'a suspension without a reason, of which the apps and tokens do not know',
      () => ({
        breaking: `update developers set suspended_at = 1 where user_id = '${fixture.otherDeveloper.userId}'`,
        repairing: `update developers set suspended_at = null where user_id = '${fixture.otherDeveloper.userId}'`,
        expected: [`/developers/${fixture.otherDeveloper.userId}/suspended_at not_allowed`],
      }),
    ],
    [
      'an installation that is enabled and waits for an approval',
      () => ({
        ...column('installations', waiting, 'enabled', 1, 0, ''),
        expected: [`/installations/${waiting}/enabled not_allowed`],
      }),
    ],
    [
      'an installation of an approved app that waits for an approval',
      () => ({
        ...column('apps', revoked, 'review_status', 'APPROVED', 'REJECTED', ''),
        expected: [`/installations/${waiting}/disabled_by not_allowed`],
      }),
    ],
    [
      'a response that is stored for retries',
      () => ({
        breaking: `update idempotency_keys set response = replace(response, '}', '')`,
        repairing: `update idempotency_keys set response = '{"response":{}}'`,
        expected: [`/idempotency_keys/${token}/response invalid_format`],
      }),
    ],
    [
      'the token of a stored response',
      () => ({
        breaking: `update idempotency_keys set token_id = 'token_x'`,
        repairing: `update idempotency_keys set token_id = '${token}'`,
        expected: ['/idempotency_keys/token_x/token_id not_found'],
      }),
    ],
    [
      'the token of a session',
      () => ({
        breaking: `update sessions set token_id = 'token_x'`,
        repairing: `update sessions set token_id = '${token}'`,
        expected: [`/sessions/${session}/token_id not_found`],
      }),
    ],
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
      () => column('installations', installation, 'user_id', 'unknown', newId('user'), 'invalid_format'),
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
      'an id, and the event of its creation',
      () => ({
        breaking: `update installations set id = 'installation_x' where id = '${installation}'`,
        repairing: `update installations set id = '${installation}' where id = 'installation_x'`,
        expected: ['/installations/installation_x/id invalid_format', '/installations/installation_x event_missing'],
      }),
    ],
    [
      'an empty id',
      () => ({
        breaking: `update access_tokens set id = '' where id = '${platformToken}'`,
        repairing: `update access_tokens set id = '${platformToken}' where id = ''`,
        expected: ['/access_tokens//id invalid_format', '/access_tokens/ event_missing'],
      }),
    ],
    [
      'an installation of an app with an empty id',
      () => ({
        breaking: `update installations set app_id = '' where id = '${installation}'`,
        repairing: `update installations set app_id = '${app}' where id = '${installation}'`,
        expected: [`/apps/${app}/installation_count wrong_count`, `/installations/${installation}/app_id not_found`],
      }),
    ],
    ...['developers', 'logos', 'apps', 'installations', 'access_tokens', 'deleted_apps'].map(
      (table): (typeof cases)[number] => [
        `the event of a creation in ${table}`,
        () => {
          const ids = { developers: fixture.developer.userId, logos: logo, apps: app, installations: installation };
          const id = { ...ids, access_tokens: token, deleted_apps: deleted.id }[table];
          return {
            breaking: `update events set subject_id = 'lost-${id}' where subject_id = '${id}'`,
            repairing: `update events set subject_id = '${id}' where subject_id = 'lost-${id}'`,
            expected: [`/${table}/${id} event_missing`],
          };
        },
      ],
    ),
  ];
  for (const [what, make] of cases) {
    test(`an inconsistency is found: ${what}`, async () => {
      const { breaking, repairing, expected } = make();
      await repairedBy([breaking], [repairing], async () => assert.deepEqual(await findingsOf(), expected.toSorted()));
    });
  }

  test('nothing is found once it is repaired', async () => assert.deepEqual(await findingsOf(), []));

  test('an inconsistency is found: approved content that is not content', async () => {
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
      await repairedBy([breaking], [repairing], async () => assert.deepEqual(await findingsOf(), expected));
    }
  });

  test('all inconsistencies are counted, and the first 1,000 are listed', async () => {
    const rows = Array.from({ length: 1_200 }, () => `('${newId('app')}', '${app}', 'w', 'u', 1, 0)`);
    const values = rows.map((row, at) => row.replace("'w'", `'w${at}'`)).join(', ');
    const insert = `insert into installations (id, app_id, workspace_id, user_id, enabled, created_at) values ${values}`;
    await repairedBy([insert], [`delete from installations where user_id = 'u'`], async () => {
      await assert.rejects(checkRegistry(fixture.registry), (error) => {
        assert.ok(error instanceof InconsistentRegistry);
        assert.equal(error.findings.length, 1_000);
        // Of each: its id, its workspace, its user and its event; and the count of the app.
        assert.match(error.message, /has 4801 inconsistencies, of which the first 1000 are listed/);
        return true;
      });
    });
    assert.deepEqual(await findingsOf(), []);
  });

  function claim(name: string | null, code: string) {
    const broken = column('apps', app, 'name_claim', name, 'checked', 'not_allowed');
    return { ...broken, expected: [...broken.expected, ...untriggered(code)] };
  }

  function approvedKey(id: string, key: string | null) {
    const broken = column('apps', id, 'approved_name_key', 'x', key, 'not_allowed');
    return { ...broken, expected: [...broken.expected, ...untriggered('not_found', id)] };
  }

  /** The finding about the table of claims where breaking the rules also stops the triggers that keep it. */
  function untriggered(code: string, id = app): string[] {
    return engine === postgres ? [`/apps/${id}/name_claim ${code}`] : [];
  }

  const deletedAt = (end: string) => `/deleted_apps/${deleted.id}${end}`;

  /** Replaces the stored row of a deleted app. */
  function deletedRow(text: string, ...expected: string[]) {
    const set = (row: string) => `update deleted_apps set row = '${row}'`;
    return { breaking: set(text), repairing: set(JSON.stringify(deleted)), expected: expected.map(deletedAt) };
  }

  function deletedColumn(given: object, ...expected: string[]) {
    return deletedRow(JSON.stringify({ ...deleted, ...given }), ...expected);
  }

  function approvedLogo(id: string, code: string) {
    const set = (from: string, to: string) =>
      `update apps set approved_content = replace(approved_content, '${from}', '${to}') where id = '${app}'`;
    return {
      breaking: set(logo, id),
      repairing: set(id, logo),
      expected: [`/apps/${app}/approved_content/logo_id ${code}`],
    };
  }

  async function findingsOf(): Promise<string[]> {
    try {
      await checkRegistry(fixture.registry);
      return [];
    } catch (error) {
      if (!(error instanceof InconsistentRegistry)) throw error;
      return error.findings.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
    }
  }
});

type Value = string | number | null;

/** SQL that sets one column of one row, and restores it. */
function column(table: string, id: string, name: string, ...[to, back, code]: [to: Value, back: Value, code: string]) {
  const set = (value: Value) =>
    `update ${table} set ${name} = ${typeof value === 'string' ? `'${value}'` : value} where id = '${id}'`;
  return { breaking: set(to), repairing: set(back), expected: [`/${table}/${id}/${name} ${code}`] };
}

/** Executes SQL without the constraints of the database. */
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
