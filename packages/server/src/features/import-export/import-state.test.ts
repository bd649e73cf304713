import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { blockLogo } from '@appregistrar/testkit/calls/logos';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { exportText } from '@appregistrar/testkit/registry/export-text';
import {
  appOf,
  developerOf,
  fileOf,
  installationOf,
  type Line,
  refusalOf,
} from '@appregistrar/testkit/registry/import-file';
import { eventsDuring, everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { checkRegistry } from '../integrity/check-registry.ts';
import { importRegistry } from './import-registry.ts';

const createdAt = '2024-01-01T00:00:00.000Z';
const updatedAt = '2024-05-01T00:00:00.000Z';
const since = '2024-04-01T00:00:00.000Z';
const approved = { revision: 1, listingInfo: { backgroundColor: '#ffffff' }, oauthInfo: {} };
const callback = { oauthInfo: { callbackUrl: 'https://a.example/callback' } };
const suspension = { at: since, reason: 'Sends spam.' };

/** The state that decides about access and review, as an export writes it. */
onSqlite((engine) => {
  let fixture: RegistryFixture;
  let png: string;
  before(async () => {
    const drawn = await RegistryFixture.open(engine);
    await drawn.newLogo();
    png = Buffer.from((await rowsOf(drawn.registry.storage, 'logos'))[0]?.png ?? []).toString('base64');
    await drawn.close();
  });
  beforeEach(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  afterEach(async () => {
    await checkRegistry(fixture.registry);
    await fixture.close();
  });

  const importLines = (...lines: Line[]) => importRegistry(fixture.registry, commandLine, { open: fileOf(lines) });
  const errorsOf = async (...lines: Line[]) =>
    (await refusalOf(importLines(...lines))).errors.map(({ line, pointer, code }) => `${line} ${pointer} ${code}`);
  const exported = async () =>
    (await exportText(fixture.registry))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const rowOf = async (id: string) => {
    const row = (await rowsOf(fixture.registry.storage, 'apps')).find((app) => app.id === id);
    assert.ok(row);
    return row;
  };
  const installed = async (id: string) => {
    const row = (await rowsOf(fixture.registry.storage, 'installations')).find((one) => one.id === id);
    return [row?.enabled, row?.disabled_by];
  };
  const live = (developerId: string, name: string) => ({
    ...appOf(developerId, name),
    createdAt,
    updatedAt,
    listingInfo: { backgroundColor: '#ffffff' },
    oauthInfo: {},
    reviewStatus: 'APPROVED',
    revision: 3,
  });
  const changed = (developerId: string, name: string) => ({
    ...live(developerId, name),
    approved: { ...approved, name: `${name} approved` },
  });

  describe('an import into an empty registry, and a second one, has the same export and is consistent:', () => {
    const cases: Record<string, (developerId: string) => Line[]> = {
      'a change that awaits a decision': (id) => [{ ...changed(id, 'Changed'), changeSince: since }],
      'a change that was rejected': (id) => [{ ...changed(id, 'Rejected'), changeRejected: true }],
      'a transfer that awaits a decision': (id) => [{ ...live(id, 'Transferred'), transferSince: since }],
      'an address that was withdrawn': (id) => [
        {
          ...changed(id, 'Withdrawn'),
          approved: { ...approved, ...callback, name: 'Withdrawn' },
          withdrawn: [{ field: 'oauthInfo.callbackUrl', revision: 2 }],
          changeSince: since,
        },
      ],
      'a suspended developer with apps and installations': () => {
        const developer = { ...developerOf(), createdAt, updatedAt, suspension };
        const app = {
          ...changed(developer.userId, 'Suspended'),
          reviewStatus: 'REJECTED',
          rejectionReason: suspension.reason,
          changeSince: since,
          suspendedStatus: 'APPROVED',
        };
        const draft = { ...live(developer.userId, 'Draft'), reviewStatus: 'DRAFT', suspendedStatus: 'DRAFT' };
        const disabled = (disabledBy: string[], appId = app.id) => ({
          ...installationOf(appId),
          enabled: false,
          disabledBy,
        });
        return [
          developer,
          app,
          draft,
          disabled(['suspension']),
          disabled(['workspace', 'suspension']),
          disabled(['revocation', 'suspension'], draft.id),
        ];
      },
      'a blocked logo that an app shows': (developerId) => {
        const logo = { type: 'logo', id: newId('logo'), developerId, createdAt, png, blocked: suspension };
        return [logo, { ...live(developerId, 'With a blocked logo'), logoId: logo.id }];
      },
    };
    for (const [name, make] of Object.entries(cases)) {
      test(name, async () => {
        const developer = { ...developerOf(), createdAt, updatedAt };
        const lines = [developer, ...make(developer.userId)] as { id?: string; userId: string }[];
        await importLines(...lines);
        const all = new Map((await exported()).map((record) => [record.id ?? record.userId, record]));
        for (const line of lines) assert.deepEqual(all.get(line.id ?? line.userId), line);
        const stored = await everything(fixture.registry.storage);
        await importLines(...lines);
        assert.deepEqual(await everything(fixture.registry.storage), stored);
      });
    }
  });

  describe('the queue', () => {
    test('has a change since changeSince, a transfer since transferSince, and neither a rejected nor a suspended one', async () => {
      const { userId } = fixture.developer;
      const developer = { ...developerOf(), suspension };
      const waiting = { ...changed(userId, 'Waiting'), changeSince: since };
      const transferred = { ...live(userId, 'Transferred'), transferSince: since };
      const rejected = { ...changed(userId, 'Rejected'), changeRejected: true };
      const suspended = { ...changed(developer.userId, 'Suspended'), changeSince: since };
      await importLines(developer, waiting, transferred, rejected, suspended);
      const times = await Promise.all([waiting, transferred, rejected, suspended].map(({ id }) => rowOf(id)));
      assert.deepEqual(
        times.map((row) => row.waiting_since),
        [Date.parse(since), Date.parse(since), 0, 0],
      );
    });

    test('has a change of a file without changeSince since its updatedAt, and a second import keeps the time', async () => {
      const line = changed(fixture.developer.userId, 'Changed');
      await importLines(line);
      assert.equal((await rowOf(line.id)).waiting_since, Date.parse(updatedAt));
      assert.equal((await importLines({ ...line, updatedAt: '2024-06-01T00:00:00.000Z' })).apps.updated, 1);
      assert.equal((await rowOf(line.id)).waiting_since, Date.parse(updatedAt));
    });

    test('has a change that only a line makes, by other approved content', async () => {
      const app = await fixture.newApp({ status: 'APPROVED', name: 'Approved here' });
      const line = { ...changed(fixture.developer.userId, 'Approved here'), id: app.id };
      await importLines(line);
      assert.ok((await rowOf(app.id)).waiting_since > 0);
    });
  });

  describe('a developer who is suspended here', () => {
    test('stays suspended, and so do apps and installations that an earlier file has as approved and enabled', async () => {
      const developer = developerOf();
      const app = live(developer.userId, 'From before');
      const installation = { ...installationOf(app.id), enabled: true };
      await importLines({ ...developer, suspension }, app, installation);
      const stored = await everything(fixture.registry.storage);
      const { review_status, suspended_status, rejection_reason } = await rowOf(app.id);
      assert.deepEqual([review_status, suspended_status], ['REJECTED', 'APPROVED']);
      assert.equal(rejection_reason, suspension.reason);
      assert.deepEqual(await installed(installation.id), [0, 'suspension']);
      await importLines(developer, app, installation);
      assert.deepEqual(await everything(fixture.registry.storage), stored);
    });

    test('gets no new app that is not suspended, and no enabled installation', async () => {
      const developer = developerOf();
      await importLines({ ...developer, suspension });
      const [app, draft] = [live(developer.userId, 'New'), appOf(developer.userId, 'New draft')];
      const installation = installationOf(app.id);
      await importLines(app, draft, installation);
      assert.equal((await rowOf(draft.id)).suspended_status, 'DRAFT');
      assert.equal((await rowOf(app.id)).review_status, 'REJECTED');
      assert.deepEqual(await installed(installation.id), [0, 'suspension']);
    });
  });

  test('a line neither suspends a developer who exists, nor marks what belongs to one who is not suspended', async () => {
    const { userId, email } = fixture.developer;
    const app = { ...live(userId, 'Not suspended'), reviewStatus: 'REJECTED', suspendedStatus: 'APPROVED' };
    const draft = appOf(userId, 'Draft');
    assert.deepEqual(
      await errorsOf({ type: 'developer', userId, email, suspension }, app, draft, {
        ...installationOf(draft.id),
        enabled: false,
        disabledBy: ['suspension'],
      }),
      ['1 /suspension not_allowed', '2 /suspendedStatus not_allowed', '4 /disabledBy not_allowed'],
    );
  });

  test('an impossible state is refused with each of its errors', async () => {
    const { userId } = fixture.developer;
    const draft = { ...appOf(userId, 'Draft'), changeSince: since, changeRejected: true, transferSince: since };
    const withdrawn = { field: 'oauthInfo.callbackUrl', revision: 4 };
    const app = { ...live(userId, 'Live'), withdrawn: [withdrawn, withdrawn], suspendedStatus: 'APPROVED' };
    const installation = { ...installationOf(draft.id), disabledBy: ['workspace'] };
    assert.deepEqual(
      await errorsOf(
        draft,
        app,
        installation,
        { ...installation, enabled: false, disabledBy: [] },
        { ...installation, enabled: false, disabledBy: ['weather'] },
      ),
      [
        '1 /changeRejected not_allowed',
        '1 /changeSince not_allowed',
        '1 /changeRejected not_allowed',
        '1 /transferSince not_allowed',
        '2 /suspendedStatus not_allowed',
        '2 /withdrawn/0 not_allowed',
        '2 /withdrawn/1 not_allowed',
        '3 /disabledBy not_allowed',
        '4 /disabledBy too_short',
        '5 /disabledBy/0 not_allowed',
      ],
    );
  });

  test('an approved name is claimed: an app that takes it is refused, and so is an app whose approved name is taken', async () => {
    const { userId } = fixture.developer;
    await importLines(changed(userId, 'One'));
    assert.deepEqual(await errorsOf(appOf(userId, 'One approved')), ['1 /name already_exists']);
    const two = { ...changed(userId, 'Two'), approved: { ...approved, name: 'One' } };
    assert.deepEqual(await errorsOf(two), ['1 /approved/name already_exists']);
    assert.deepEqual(await errorsOf(changed(userId, 'Three'), appOf(userId, 'Three approved')), [
      '2 /name already_exists',
    ]);
    const here = await fixture.newApp({ status: 'APPROVED', name: 'Four' });
    assert.deepEqual(await errorsOf({ ...two, id: here.id, name: 'Four' }), ['1 /approved/name already_exists']);
  });

  test('a logo that is blocked here can be imported only for an app that has it, or if the file has its block', async () => {
    const { registry, developer } = fixture;
    const { userId: developerId } = developer;
    const logo = { type: 'logo', id: newId('logo'), developerId, createdAt, png };
    const [first, second] = [appOf(developerId, 'First'), appOf(developerId, 'Second')];
    await importLines(logo, { ...first, logoId: logo.id });
    await blockLogo(registry, commandLine, { id: logo.id, block: { reason: 'A foreign trademark.' } });
    const lines = [first, second].map((line) => ({ ...line, logoId: logo.id }));
    assert.deepEqual(await errorsOf(logo, ...lines), ['3 /logoId unusable_logo']);
    await importLines(logo, lines[0] as Line);
    await updateAppAsOperator(registry, commandLine, { appId: first.id, update: { logoId: null } });
    assert.deepEqual(await errorsOf(logo, lines[0] as Line), ['2 /logoId unusable_logo']);
    await importLines({ ...logo, blocked: suspension }, ...lines);
  });

  test('a line blocks a logo that exists, with an event, and a line without a block leaves it blocked', async () => {
    const { userId: developerId } = fixture.developer;
    const logo = { type: 'logo', id: newId('logo'), developerId, createdAt, png };
    await importLines(logo);
    const events = await eventsDuring(fixture.registry, () => importLines({ ...logo, blocked: suspension }));
    assert.deepEqual(
      events.map(({ type, subject_id, after: now }) => [type, subject_id, now]),
      [['logo.blocked', logo.id, { developerId, reason: suspension.reason }]],
    );
    assert.equal((await importLines(logo)).logos.unchanged, 1);
    assert.equal((await rowsOf(fixture.registry.storage, 'logos'))[0]?.blocked_at, Date.parse(since));
  });
});
