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
  let database: FreeDatabase;
  /** The ids of what the tests break. */
  let [app, installation, logo, token, platformToken, session] = ['', '', '', '', '', ''];
  let [otherLogo, revoked, rejected, waiting] = ['', '', '', ''];
  let deleted: AppRow;
  let approvedContent: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    database = await openFreely(fixture.databaseUrl);
    const { registry, developer } = fixture;
    logo = (await fixture.newLogo()).id;
    const approved = await fixture.newApp({ status: 'APPROVED', name: 'Checked', logoId: logo });
    app = approved.id;
    installation = (await fixture.install(approved)).id;
    await fixture.install(approved);
    await updateApp(registry, commandLine, { appId: app, developerId: developer.id, update: { logoId: null } });
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
        developerId: developer.id,
        update: { name: 'Rejected' },
      },
    );
    otherLogo = (await fixture.newLogo(fixture.otherDeveloper.id)).id;
    const another = await fixture.newApp({ status: 'APPROVED' });
    revoked = another.id;
    waiting = (await fixture.install(another)).id;
    const step = { step: 'revoke', details: { message: 'It sends spam.', disableInstallations: true } } as const;
    await reviewApp(registry, commandLine, { appId: revoked, ...step });
    const deletedApp = await fixture.newApp({ status: 'APPROVED', name: 'Deleted', logoId: logo });
    await deleteApp(registry, commandLine, { appId: deletedApp.id });
    const row = (await rowsOf(registry.storage, 'apps')).find(({ id }) => id === app);
    approvedContent = row?.approved_content ?? '';
    deleted = JSON.parse((await rowsOf(registry.storage, 'deleted_apps'))[0]?.row ?? '');
  });
  after(async () => {
    await database.close();
    await fixture.close();
  });

  /** Changes a row, checks the registry, and repairs the row. */
  async function assertFindings({ change, expected }: Case): Promise<void> {
    const repair = await breakRules(database, change);
    try {
      assert.deepEqual(await findingsOf(), expected.toSorted());
    } finally {
      await repair();
    }
  }

  test('a registry that the operations wrote has no inconsistency, and its objects are counted', async () => {
    const checked = { developers: 2, logos: 2, apps: 3, deletedApps: 1, installations: 3, tokens: 2 };
    assert.deepEqual(await checkRegistry(fixture.registry), checked);
  });

  const wrong = newId('user');
  const cases: Record<string, () => Case> = {
    'a count': () => column('apps', app, 'installation_count', 5, 'wrong_count'),
    'the key of a name': () => ({
      ...changed('apps', app, { name_key: 'other', name_claim: 'other' }),
      expected: [`/apps/${app}/name_key not_allowed`, ...untriggered('not_found')],
    }),
    'a claim': () => claim('other', 'not_found'),
    'a claim that is missing': () => claim(null, 'not_allowed'),
    'a claim that only the table has': () => ({
      change: { table: 'name_claims', insert: { name_key: 'foreign', app_id: app } },
      expected: [`/apps/${app}/name_claim not_allowed`],
    }),
    'a claim that the table lacks': () => ({
      change: { table: 'name_claims', where: { name_key: 'checked' } },
      expected: [`/apps/${app}/name_claim not_found`],
    }),
    'a revision': () => column('apps', app, 'platform_revision', 0, 'not_allowed'),
    'the revision of an approval': () => column('apps', app, 'approved_revision', 3, 'not_allowed'),
    'a review status': () => column('apps', app, 'review_status', 'NEW', 'not_allowed'),
    'a time': () => column('apps', app, 'updated_at', 1, 'not_allowed'),
    'the developer of an app': () => column('apps', revoked, 'developer_id', wrong, 'not_found'),
    'the developer of a logo': () => column('logos', otherLogo, 'developer_id', wrong, 'not_found'),
    'the developer of a token': () => column('access_tokens', token, 'developer_id', wrong, 'not_found'),
    'the logo of an app': () => column('apps', app, 'logo_id', newId('logo'), 'not_found'),
    'a logo of another developer': () => column('apps', app, 'logo_id', otherLogo, 'not_allowed'),
    'a logo that was approved, of another developer': () => approvedLogo(otherLogo, 'not_allowed'),
    'a logo that was approved and is missing': () => approvedLogo(newId('logo'), 'not_found'),
    'approved content that is no JSON': () => column('apps', app, 'approved_content', '{', 'not_allowed'),
    'approved content that is no object': () => column('apps', app, 'approved_content', 'null', 'not_allowed'),
    'approved content without its fields': () => column('apps', app, 'approved_content', '{"name":5}', 'not_allowed'),
    'the key of an approved name': () => approvedKey(app),
    'the key of a name that was never approved': () => approvedKey(rejected),
    'a change that waits, but not since its time': () => column('apps', app, 'waiting_since', 7, 'not_allowed'),
    'a change without a difference': () => column('apps', revoked, 'change_since', 7, 'not_allowed'),
    'a transfer of an app that is not approved': () => column('apps', revoked, 'transfer_since', 7, 'not_allowed'),
    'an approved app without approved content': () => {
      const none = { approved_content: null, approved_revision: null, approved_name_key: null };
      const change = changed('apps', app, { ...none, change_since: 0, waiting_since: 0 });
      return { ...change, expected: [`/apps/${app}/approved_content not_allowed`] };
    },
    'a deleted app that is no JSON': () => deletedRow('{', '/row invalid_format'),
    'a deleted app that is no app': () => deletedRow('[]', '/row invalid_format'),
    'a deleted app without a column': () => deletedColumn({ name: undefined }, '/row invalid_format'),
    'a deleted app with a text for a number': () => deletedColumn({ revision: '1' }, '/row invalid_format'),
    'a deleted app of another id': () => deletedColumn({ id: app }, '/row/id not_allowed'),
    'a deleted app of two developers': () => {
      const wrongly = ['developer_id', 'logo_id', 'approved_content/logo_id'].map((end) => `/row/${end} not_allowed`);
      return deletedColumn({ developer_id: fixture.otherDeveloper.id }, ...wrongly);
    },
    'a deleted app with a count': () => deletedColumn({ installation_count: 1 }, '/row/installation_count not_allowed'),
    'a deleted app with a claim': () => deletedColumn({ name_claim: 'deleted' }, '/row/name_claim not_allowed'),
    'the status of a deleted app': () => deletedColumn({ review_status: 'NEW' }, '/row/review_status not_allowed'),
    'the key of the name of a deleted app': () => deletedColumn({ name_key: 'x' }, '/row/name_key not_allowed'),
    'the logo of a deleted app': () => deletedColumn({ logo_id: newId('logo') }, '/row/logo_id not_found'),
    'the developer of a deleted app': () => ({
      ...changed('deleted_apps', deleted.id, { developer_id: wrong }),
      expected: ['/row/developer_id not_allowed', '/developer_id not_found'].map(deletedAt),
    }),
    'a deleted app that also exists': () => ({
      ...changed('deleted_apps', deleted.id, { id: app }),
      expected: [
        `/deleted_apps/${app}/row/id not_allowed`,
        `/deleted_apps/${app} already_exists`,
        `/deleted_apps/${app} event_missing`,
        `/search_texts/${deleted.id} not_found`,
      ],
    }),
    'a search text': () => ({
      change: { table: 'search_texts', where: { subject_id: app }, set: { name: ' other  ' } },
      expected: [`/search_texts/${app} not_allowed`],
    }),
    'the search text of a developer who is not found by it': () => ({
      change: { table: 'search_texts', where: { subject_id: fixture.developer.id }, set: { person: null } },
      expected: [`/search_texts/${fixture.developer.id} not_allowed`],
    }),
    'a search text of nothing': () => ({
      change: { table: 'search_texts', insert: { subject_id: 'app_x', name: ' x  ' } },
      expected: ['/search_texts/app_x not_found'],
    }),
    'a name that an app is compared by': () => ({
      change: { table: 'app_comparison_keys', where: { app_id: app, field: 'name' }, set: { value: 'other' } },
      expected: [`/app_comparison_keys/${app} not_allowed`],
    }),
    'a name that no app is compared by': () => {
      const key = { source: 'current', kind: 'name', field: 'name', value: 'x', skeleton: 'x' };
      return {
        change: { table: 'app_comparison_keys', insert: { app_id: 'app_x', ...key } },
        expected: ['/app_comparison_keys/app_x not_found'],
      };
    },
    'a suspended app of a developer who is not suspended, whose installations are not either': () => ({
      ...changed('apps', revoked, { suspended_status: 'REJECTED' }),
      expected: [`/apps/${revoked}/suspended_status not_allowed`, `/installations/${waiting}/disabled_by not_allowed`],
    }),
    'an installation that a suspension has disabled without one': () => causes('revocation suspension'),
    'a cause that is none': () => causes('revocation weather'),
    'a suspended token of a developer who is not': () => column('access_tokens', token, 'suspended', 1, 'not_allowed'),
    'a block without a reason': () => column('logos', logo, 'blocked_at', 1, 'not_allowed'),
    'a suspension without a reason, of which the apps and tokens do not know': () => {
      const { id: userId } = fixture.otherDeveloper;
      return {
        change: { table: 'developers', where: { user_id: userId }, set: { suspended_at: 1 } },
        expected: [`/developers/${userId}/suspended_at not_allowed`],
      };
    },
    'an installation that is enabled and waits for an approval': () =>
      column('installations', waiting, 'enabled', 1, 'not_allowed'),
    'an installation of an approved app that waits for an approval': () => ({
      ...changed('apps', revoked, { review_status: 'APPROVED' }),
      expected: [`/installations/${waiting}/disabled_by not_allowed`],
    }),
    'the workspace of an installation': () =>
      column('installations', installation, 'workspace_id', wrong, 'invalid_format'),
    'the user of an installation': () => column('installations', installation, 'user_id', 'unknown', 'invalid_format'),
    'an installation of no app': () => lostInstallation('app_x'),
    'an installation of an app with an empty id': () => lostInstallation(''),
    'an id, and the event of its creation': () => ({
      ...changed('installations', installation, { id: 'installation_x' }),
      expected: ['/installations/installation_x/id invalid_format', '/installations/installation_x event_missing'],
    }),
    'an empty id': () => ({
      ...changed('access_tokens', platformToken, { id: '' }),
      expected: ['/access_tokens//id invalid_format', '/access_tokens/ event_missing'],
    }),
    'a response that is stored for retries': () => ({
      change: { table: 'idempotency_keys', where: { token_id: token }, set: { response: '{"response":{' } },
      expected: [`/idempotency_keys/${token}/response invalid_format`],
    }),
    'the token of a stored response': () => ({
      change: { table: 'idempotency_keys', where: { token_id: token }, set: { token_id: 'token_x' } },
      expected: ['/idempotency_keys/token_x/token_id not_found'],
    }),
    'the token of a session': () => ({
      change: { table: 'sessions', where: { token_id: token }, set: { token_id: 'token_x' } },
      expected: [`/sessions/${session}/token_id not_found`],
    }),
    'the event of a developer': () => lostEvents('developers', fixture.developer.id),
    'the event of a logo': () => lostEvents('logos', logo),
    'the event of an app': () => lostEvents('apps', app),
    'the event of an installation': () => lostEvents('installations', installation),
    'the event of a token': () => lostEvents('access_tokens', token),
    'the event of a deleted app': () => lostEvents('deleted_apps', deleted.id),
  };
  for (const [what, make] of Object.entries(cases)) {
    test(`an inconsistency is found: ${what}`, () => assertFindings(make()));
  }

  test('nothing is found once it is repaired', async () => assert.deepEqual(await findingsOf(), []));

  test('all inconsistencies are counted, and the first 1,000 are listed', async () => {
    const rows = Array.from({ length: 1_200 }, (_, at) => ({
      ...{ id: newId('installation'), app_id: app, workspace_id: `w${at}`, user_id: 'u', enabled: 1 as const },
      ...{ disabled_by: null, created_at: 0, updated_at: null },
    }));
    await fixture.registry.storage.write((transaction) => transaction.insertNew('installations', rows));
    await assert.rejects(checkRegistry(fixture.registry), (error) => {
      assert.ok(error instanceof InconsistentRegistry);
      assert.equal(error.findings.length, 1_000);
      // Of each: its workspace, its user and its event; and the count of the app.
      assert.match(error.message, /has 3601 inconsistencies, of which the first 1000 are listed/);
      return true;
    });
  });

  function causes(disabledBy: string): Case {
    return column('installations', waiting, 'disabled_by', disabledBy, 'not_allowed');
  }

  function lostInstallation(appId: string): Case {
    const expected = [`/apps/${app}/installation_count wrong_count`, `/installations/${installation}/app_id not_found`];
    return { ...changed('installations', installation, { app_id: appId }), expected };
  }

  function lostEvents(table: string, id: string): Case {
    const change = { table: 'events', where: { subject_id: id }, set: { subject_id: `lost-${id}` } };
    return { change, expected: [`/${table}/${id} event_missing`] };
  }

  function claim(name: string | null, code: string): Case {
    const { change, expected } = column('apps', app, 'name_claim', name, 'not_allowed');
    return { change, expected: [...expected, ...untriggered(code)] };
  }

  function approvedKey(id: string): Case {
    const { change, expected } = column('apps', id, 'approved_name_key', 'x', 'not_allowed');
    return { change, expected: [...expected, ...untriggered('not_found', id)] };
  }

  /** The finding about the table of claims where breaking the rules also stops the triggers that keep it. */
  function untriggered(code: string, id = app): string[] {
    return engine === postgres ? [`/apps/${id}/name_claim ${code}`] : [];
  }

  function deletedAt(end: string): string {
    return `/deleted_apps/${deleted.id}${end}`;
  }

  /** Replaces the stored row of a deleted app. */
  function deletedRow(row: string, ...expected: string[]): Case {
    return { ...changed('deleted_apps', deleted.id, { row }), expected: expected.map(deletedAt) };
  }

  function deletedColumn(given: object, ...expected: string[]): Case {
    return deletedRow(JSON.stringify({ ...deleted, ...given }), ...expected);
  }

  function approvedLogo(id: string, code: string): Case {
    const content = approvedContent.replace(logo, id);
    return {
      ...changed('apps', app, { approved_content: content }),
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

type Row = Record<string, string | number | null>;

/** A row that is inserted, or the rows that are updated or, without `set`, deleted. */
type Change = { table: string } & ({ insert: Row } | { where: Row; set?: Row });

interface Case {
  change: Change;
  /** The findings, each as pointer and code. */
  expected: string[];
}

function changed(table: string, id: string, set: Row) {
  return { change: { table, where: { id }, set } };
}

function column(table: string, id: string, name: string, ...[value, code]: [Row[string], string]): Case {
  return { ...changed(table, id, { [name]: value }), expected: [`/${table}/${id}/${name} ${code}`] };
}

/** Makes a change. Returns how to undo it. */
async function breakRules({ execute }: FreeDatabase, change: Change): Promise<() => Promise<unknown>> {
  const { table } = change;
  if ('insert' in change) {
    await execute(insertion(table, change.insert));
    return () => execute(`delete from ${table} where ${terms(change.insert).join(' and ')}`);
  }
  const { where, set } = change;
  const condition = terms(where).join(' and ');
  const [before = assert.fail()] = await execute(`select * from ${table} where ${condition}`);
  if (!set) {
    await execute(`delete from ${table} where ${condition}`);
    return () => execute(insertion(table, before));
  }
  const update = (from: Row, to: Row) =>
    execute(`update ${table} set ${terms(to).join(', ')} where ${terms(from).join(' and ')}`);
  await update(where, set);
  const isKey = ([name]: [string, unknown]) => name in where;
  const old = Object.fromEntries(Object.keys(set).map((name) => [name, before[name] ?? null]));
  return () => update({ ...where, ...Object.fromEntries(Object.entries(set).filter(isKey)) }, old);
}

function insertion(table: string, row: Row): string {
  return `insert into ${table} (${Object.keys(row)}) values (${Object.values(row).map(literal)})`;
}

function terms(row: Row): string[] {
  return Object.entries(row).map(([name, value]) => `${name} = ${literal(value)}`);
}

function literal(value: Row[string]): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `${value}`;
}

/** A connection without the constraints of the database. */
interface FreeDatabase {
  execute(statement: string): Promise<Row[]>;
  close(): Promise<void>;
}

async function openFreely(url: string): Promise<FreeDatabase> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { enableForeignKeyConstraints: false });
    return {
      execute: async (statement) => database.prepare(statement).all() as Row[],
      close: async () => database.close(),
    };
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query("set session_replication_role = 'replica'");
  return { execute: async (statement) => (await client.query(statement)).rows, close: () => client.end() };
}
