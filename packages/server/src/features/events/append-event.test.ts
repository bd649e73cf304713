import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createToken, revokeToken } from '@appregistrar/testkit/calls/access';
import { createApp, deleteApp, restoreApp, transferApp } from '@appregistrar/testkit/calls/apps';
import { createDeveloper, updateDeveloper } from '@appregistrar/testkit/calls/developers';
import {
  createInstallation,
  deleteInstallation,
  setInstallationEnabled,
} from '@appregistrar/testkit/calls/installations';
import { createLogo } from '@appregistrar/testkit/calls/logos';
import { createProtectedName, deleteProtectedName } from '@appregistrar/testkit/calls/protected-names';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { eraseDeveloper } from '@appregistrar/testkit/calls/suspension';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { eventsDuring, everything, rowsOf, withoutNonce } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import sharp from 'sharp';
import type { TSchema } from 'typebox';
import { check } from '../../kernel/check.ts';
import { newId } from '../../kernel/ids.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { Storage } from '../../storage/storage.ts';
import { completeContent, contentData } from '../apps/app-content.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import type { ReviewStep } from '../apps/review/review-status.ts';
import { updateApp } from '../apps/update-app.ts';
import type { Developer } from '../developers/developer.ts';
import type { Installation } from '../installations/installation.ts';
import type { ProtectedName } from '../protected-names/protected-names.ts';
import { effectiveIn } from './append-event.ts';
import type { EventType } from './event.ts';
import { eventData } from './event-data.ts';

const now = Date.parse('2026-03-01T09:30:00.000Z');
const caller: Caller = {
  actor: 'token_01jq3w4m2je6vs9a1w7p3n0d5e',
  requestId: '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11',
  reason: 'The audit requires it.',
};
const workspaceId = 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0';
const reason = 'The description says too little.';

/** The objects to be changed. */
interface Given {
  registry: Registry;
  developerId: string;
  draft: OperatorApp;
  submitted: OperatorApp;
  approved: OperatorApp;
  enabled: Installation;
  disabled: Installation;
  /** Not used by other tests. */
  person: Developer;
  deleted: OperatorApp;
  tokenId: string;
  protectedName: ProtectedName;
  image: Uint8Array;
}

interface Expected {
  type: string;
  app?: string;
  subject?: string;
  before?: object;
  after?: object;
  details?: object;
  effective?: object | null;
}

/** Every kind of change: the work, and the data of its event. An id that it creates is left open. */
const changes: Record<string, (given: Given) => [work: () => Promise<unknown>, event: Expected]> = {
  'a new developer': ({ registry }) => {
    const userId = newId('user');
    const input = { userId, email: 'joan@example.com', firstName: 'Joan', lastName: 'Clarke' };
    return [
      () => createDeveloper(registry, caller, input),
      { type: 'developer.created', subject: userId, after: { userId } },
    ];
  },
  'an update of a developer': ({ registry, person }) => [
    () => updateDeveloper(registry, caller, { userId: person.userId, update: { email: 'j@example.com' } }),
    { type: 'developer.updated', subject: person.userId, details: { changed: ['email'] } },
  ],
  'an erased developer': ({ registry, person }) => [
    () => eraseDeveloper(registry, caller, person.userId),
    { type: 'developer.erased', subject: person.userId },
  ],
  'a new app': ({ registry, developerId }) => {
    const content = { name: newId('name'), oauthInfo: { loginUrl: 'https://a.example/login' } };
    return [
      () => createApp(registry, caller, { developerId, ...content }),
      {
        type: 'app.created',
        after: {
          developerId,
          revision: 1,
          ...contentData(completeContent(content)),
        },
      },
    ];
  },
  'an update': ({ registry, developerId, draft }) => {
    const update = { name: draft.name, listingInfo: { shortDescription: 'Short.', backgroundColor: '#123456' } };
    return [
      () => updateApp(registry, caller, { appId: draft.id, developerId, update }),
      {
        type: 'app.updated',
        app: draft.id,
        subject: draft.id,
        before: { listingInfo: { shortDescription: null, backgroundColor: '#ffffff' } },
        after: { listingInfo: { shortDescription: 'Short.', backgroundColor: '#123456' }, revision: 2 },
      },
    ];
  },
  'an update of an approved app': ({ registry, developerId, approved }) => {
    const update = {
      oauthInfo: { callbackUrl: 'https://a.example/callback' },
      listingInfo: { longDescription: 'Long.' },
    };
    return [
      () => updateApp(registry, caller, { appId: approved.id, developerId, update }),
      {
        type: 'app.updated',
        app: approved.id,
        subject: approved.id,
        before: { oauthInfo: { callbackUrl: null }, listingInfo: { longDescription: null } },
        after: { ...update, revision: 2 },
        details: { changedSinceApproval: ['listingInfo.longDescription', 'oauthInfo.callbackUrl'] },
        effective: update,
      },
    ];
  },
  'a submission': (given) => stepChange(given, { step: 'submit', type: 'app.submitted', app: given.draft }),
  'a withdrawal': (given) => stepChange(given, { step: 'withdraw', type: 'app.withdrawn', app: given.submitted }),
  'an approval': (given) => stepChange(given, { step: 'approve', type: 'app.approved', app: given.submitted }),
  'a rejection': (given) => stepChange(given, { step: 'reject', type: 'app.rejected', app: given.submitted }),
  'a revocation': (given) => stepChange(given, { step: 'revoke', type: 'app.revoked', app: given.approved }),
  'a transfer': ({ registry, developerId, draft, person }) => [
    () => transferApp(registry, caller, { appId: draft.id, transfer: { developerId: person.userId } }),
    {
      type: 'app.transferred',
      app: draft.id,
      subject: draft.id,
      before: { developerId, logoId: null, revision: 1 },
      after: { developerId: person.userId, logoId: null, revision: 2 },
    },
  ],
  'a deletion': ({ registry, draft }) => [
    () => deleteApp(registry, caller, { appId: draft.id }),
    { type: 'app.deleted', app: draft.id, subject: draft.id, before: wholeApp(draft) },
  ],
  'a restored app': ({ registry, deleted }) => [
    () => restoreApp(registry, caller, deleted.id),
    { type: 'app.restored', app: deleted.id, subject: deleted.id, after: wholeApp(deleted) },
  ],
  'a new installation': ({ registry, approved }) => {
    const userId = newId('user');
    return [
      () => createInstallation(registry, caller, { appId: approved.id, workspaceId, userId }),
      {
        type: 'installation.created',
        app: approved.id,
        after: { workspaceId, userId, enabled: true },
      },
    ];
  },
  'an installation that is enabled': ({ registry, disabled }) => [
    () => setInstallationEnabled(registry, caller, { id: disabled.id, enabled: true }),
    {
      type: 'installation.enabled',
      app: disabled.appId,
      subject: disabled.id,
      before: disabledByWorkspace,
      after: { enabled: true },
    },
  ],
  'an installation that is disabled': ({ registry, enabled }) => [
    () => setInstallationEnabled(registry, caller, { id: enabled.id, enabled: false }),
    {
      type: 'installation.disabled',
      app: enabled.appId,
      subject: enabled.id,
      before: { enabled: true },
      after: disabledByWorkspace,
    },
  ],
  'an installation that is deleted': ({ registry, enabled }) => [
    () => deleteInstallation(registry, caller, enabled.id),
    {
      type: 'installation.deleted',
      app: enabled.appId,
      subject: enabled.id,
      before: { workspaceId: enabled.workspaceId, userId: enabled.userId, enabled: true },
    },
  ],
  'a new logo': ({ registry, developerId, image }) => [
    () => createLogo(registry, caller, { developerId, image }),
    { type: 'logo.created', after: { developerId } },
  ],
  'a new token': ({ registry, developerId }) => [
    () => createToken(registry, caller, { kind: 'developer', developerId, name: 'build server', expiresIn: 60 }),
    {
      type: 'token.created',
      after: {
        kind: 'developer',
        developerId,
        createdAt: new Date(now).toISOString(),
        expiresAt: new Date(now + 60_000).toISOString(),
      },
    },
  ],
  'a revoked token': ({ registry, tokenId }) => [
    () => revokeToken(registry, caller, tokenId),
    { type: 'token.revoked', subject: tokenId, after: { revokedAt: new Date(now).toISOString() } },
  ],
  'a name that is protected': ({ registry, developerId }) => {
    const input = { name: newId('name'), developerIds: [developerId], note: 'Ask for the licence.' };
    return [() => createProtectedName(registry, caller, input), { type: 'protected_name.created', after: input }];
  },
  'the end of the protection of a name': ({ registry, protectedName: { id, name } }) => [
    () => deleteProtectedName(registry, caller, id),
    { type: 'protected_name.deleted', subject: id, before: { name, developerIds: [] } },
  ],
};

const disabledByWorkspace = { enabled: false, disabledBy: ['workspace'] };

/** Changes without an effect. */
const noChanges: Record<string, (given: Given) => Promise<unknown>> = {
  'an update without a change': ({ registry, developerId, draft }) =>
    updateApp(registry, caller, { appId: draft.id, developerId, update: { name: draft.name } }),
  'an update of an app in review without a change': ({ registry, developerId, submitted }) =>
    updateApp(registry, caller, { appId: submitted.id, developerId, update: { name: submitted.name } }),
  'an update of a developer without a change': ({ registry, person }) =>
    updateDeveloper(registry, caller, { userId: person.userId, update: { firstName: 'Joan' } }),
  'a transfer to the same developer': ({ registry, developerId, draft }) =>
    transferApp(registry, caller, { appId: draft.id, transfer: { developerId } }),
  'an already enabled installation': ({ registry, enabled }) =>
    setInstallationEnabled(registry, caller, { id: enabled.id, enabled: true }),
  'an already disabled installation': ({ registry, disabled }) =>
    setInstallationEnabled(registry, caller, { id: disabled.id, enabled: false }),
};

onSqlite((engine) => {
  let fixture: RegistryFixture;
  let image: Uint8Array;

  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
  });
  after(() => fixture.close());

  const given = async (): Promise<Given> => {
    const { registry, developer } = fixture;
    const [draft, submitted, approved] = await Promise.all([
      fixture.newApp(),
      fixture.newApp({ status: 'AWAITING_REVIEW' }),
      fixture.newApp({ status: 'APPROVED' }),
    ]);
    const [enabled, other, { id: tokenId }, protectedName] = await Promise.all([
      fixture.install(approved),
      fixture.install(approved),
      fixture.newToken('platform'),
      createProtectedName(registry, caller, { name: newId('name') }),
    ]);
    const disabled = await setInstallationEnabled(registry, caller, { id: other.id, enabled: false });
    const joan = { email: 'joan@example.com', firstName: 'Joan', lastName: 'Clarke' };
    const person = await createDeveloper(registry, caller, joan);
    const deleted = await fixture.newApp();
    await deleteApp(registry, caller, { appId: deleted.id });
    const apps = { draft, submitted, approved, deleted };
    const developerId = developer.userId;
    return { registry, developerId, ...apps, enabled, disabled, person, tokenId, protectedName, image };
  };

  describe('exactly one event is appended by', () => {
    for (const [name, change] of Object.entries(changes)) {
      test(name, async () => {
        const [work, expected] = change(await given());
        const [event, ...others] = await eventsDuring(fixture.registry, work);
        assert.ok(event);
        assert.deepEqual(others, []);
        assert.match(event.id, /^event_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
        const { type, actor, request_id, occurred_at, details, effective } = event;
        const [before, after] = [withoutNonce(event.before), withoutNonce(event.after)];
        const nothing = { before: null, after: null, details: null, effective: undefined };
        const { type: expectedType, app, subject, ...rest } = expected;
        assert.deepEqual({ type, before, after, details, effective }, { type: expectedType, ...nothing, ...rest });
        const data = {
          ...(event.before && { before: event.before }),
          ...(event.after && { after: event.after }),
          ...details,
          ...(effective !== undefined && { effective }),
        };
        assert.equal(check(schemaOf(type as EventType), data), null, 'it matches the schema of its type');
        // The message of a decision is its reason only where no other was given.
        const isReason = event.after && 'reason' in event.after && !('message' in event.after);
        const why = isReason ? { reason: Reflect.get(event.after ?? {}, 'reason') } : {};
        assert.deepEqual(
          { actor, requestId: request_id, reason: event.reason, at: occurred_at },
          { ...caller, ...why, at: now },
        );
        if (subject) assert.equal(event.subject_id, subject);
        assert.equal(event.app_id, app ?? (type === 'app.created' ? event.subject_id : null));
      });
    }
  });

  test('an update records what differs from the approved content, until it is restored', async () => {
    const { registry, developer } = fixture;
    const { id: appId, name } = await fixture.newApp({ status: 'APPROVED' });
    const changedBy = async (update: object) => {
      const [event] = await eventsDuring(registry, () =>
        updateApp(registry, caller, { appId, developerId: developer.userId, update }),
      );
      return event?.details;
    };
    const shortDescription = 'Short.';
    assert.deepEqual(await changedBy({ name: newId('name') }), { changedSinceApproval: ['name'] });
    const both = ['name', 'listingInfo.shortDescription'];
    assert.deepEqual(await changedBy({ listingInfo: { shortDescription } }), { changedSinceApproval: both });
    assert.deepEqual(await changedBy({ name }), { changedSinceApproval: both.slice(1) });
    assert.deepEqual(await changedBy({ listingInfo: { shortDescription: null } }), { changedSinceApproval: [] });
    await fixture.review(appId, 'revoke');
    assert.deepEqual(await changedBy({ listingInfo: { shortDescription } }), { changedSinceApproval: both.slice(1) });
  });

  test('an event stores a value once, also if the change takes effect with it', async () => {
    const { registry, developer } = fixture;
    const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
    const longDescription = 'Long. '.repeat(200).trim();
    const update = { listingInfo: { longDescription } };
    await updateApp(registry, caller, { appId, developerId: developer.userId, update });
    const event = (await fixture.eventsOf(appId)).at(-1);
    assert.ok(event);
    assert.equal(JSON.stringify(event).split(longDescription).length, 2);
    assert.deepEqual(effectiveIn(event), update);
  });

  describe('no event is appended by', () => {
    for (const [name, work] of Object.entries(noChanges)) {
      test(name, async () => {
        const subject = await given();
        const before = await everything(fixture.registry.storage);
        await work(subject);
        assert.deepEqual(await everything(fixture.registry.storage), before);
      });
    }

    test('an already revoked token', async () => {
      const { tokenId, registry } = await given();
      await revokeToken(registry, caller, tokenId);
      assert.deepEqual(await eventsDuring(registry, () => revokeToken(registry, caller, tokenId)), []);
    });
  });

  describe('nothing is changed when the event cannot be stored, by', () => {
    for (const [name, change] of Object.entries(changes)) {
      test(name, async () => {
        const [work] = change(await given());
        const { storage } = fixture.registry;
        const before = await everything(storage);
        await renameTable(storage, 'events', 'events_away');
        await assert.rejects(work()).finally(() => renameTable(storage, 'events_away', 'events'));
        assert.deepEqual(await everything(storage), before);
      });
    }
  });

  test('no event holds an email address, the name of a person, or a token', async () => {
    const tokens: string[] = [];
    for (const change of Object.values(changes)) {
      const [work] = change(await given());
      const result = await work();
      const { token } = result as { token?: string };
      if (token) tokens.push(token);
    }
    assert.equal(tokens.length, 1);
    // A random nonce may happen to spell a short name.
    const rows = await rowsOf(fixture.registry.storage, 'events');
    const events = JSON.stringify(rows).replaceAll(/revisionNonce\\":\\"[\w-]+/g, '');
    assert.ok(!events.includes('revisionNonce'), 'every nonce is left out');
    for (const secret of [...tokens, 'appreg_', '@', 'Ada', 'Lovelace', 'Joan', 'Clarke']) {
      assert.ok(!events.includes(secret), secret);
    }
  });
});

function wholeApp({ developerId, reviewStatus, revision, name }: OperatorApp): object {
  return { developerId, reviewStatus, revision, ...contentData(completeContent({ name })) };
}

function stepChange(
  { registry }: Given,
  { step, type, app }: { step: ReviewStep; type: string; app: OperatorApp },
): [work: () => Promise<unknown>, event: Expected] {
  const to = {
    submit: 'AWAITING_REVIEW',
    withdraw: 'DRAFT',
    approve: 'APPROVED',
    reject: 'REJECTED',
    'reject-change': 'APPROVED',
    revoke: 'REJECTED',
  };
  const isRejected = step === 'reject' || step === 'revoke';
  return [
    () => reviewApp(registry, caller, { appId: app.id, step, details: isRejected ? { reason } : {} }),
    {
      type,
      app: app.id,
      subject: app.id,
      before: { reviewStatus: app.reviewStatus },
      after: { reviewStatus: to[step], revision: app.revision, ...(isRejected && { message: reason }) },
      ...(step === 'approve' && { effective: contentData(completeContent(app)) }),
      ...(step === 'revoke' && { effective: null }),
    },
  ];
}

/** Drops the names of schemas that occur twice in it. */
function schemaOf(type: EventType): TSchema {
  return JSON.parse(JSON.stringify(eventData[type], (name, value) => (name === '$id' ? undefined : value)));
}

async function renameTable(storage: Storage, from: string, to: string): Promise<void> {
  const { builder } = storage.reader;
  await storage.write(async (transaction) => {
    await transaction.run(builder.schema.alterTable(from).renameTo(to).compile());
  });
}
