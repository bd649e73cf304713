import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, restoreApp, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import fc from 'fast-check';
import { listAppRevisions, revertApp } from '../../../../test/calls/revisions.ts';
import { archiveFirstEvents } from '../../../../test/registry/archive-first-events.ts';
import { Failure } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/ids.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { revisionETag } from '../../../kernel/revision.ts';
import type { AppContent, AppRow } from '../../../storage/tables.ts';
import { contentIn } from '../app-content.ts';
import { findApp } from '../app-queries.ts';
import { contentView } from '../app-view.ts';
import { removeDeletedApp } from '../deleted-app-queries.ts';
import type { ReviewStep } from '../review/review-status.ts';
import { updateApp } from '../update-app.ts';
import { type AppRevision, findRevision, findRevisionAt } from './revision-history.ts';

const urls = [null, 'https://a.example/back', 'https://b.example/back'];
const update = fc.oneof(
  fc.constant({}),
  fc.record({ name: fc.constantFrom('One', 'Two', 'Three') }),
  fc.record({
    oauthInfo: fc.record({ loginUrl: fc.constantFrom(...urls), callbackUrl: fc.constantFrom(...urls) }),
    listingInfo: fc.record({ longDescription: fc.constantFrom(null, 'Long.', '"revision":7') }),
  }),
);

type Step =
  | { do: 'update as developer' | 'update as operator'; update: object }
  | { do: 'import'; update: object; skipped: number }
  | { do: 'logo' | 'transfer' | 'delete and restore' | 'purge and import' | 'set the clock back' }
  | { do: 'revert'; to: number }
  | { do: ReviewStep };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('update as developer', 'update as operator'), update }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('import'), update, skipped: fc.constantFrom(0, 0, 1, 3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revert'), to: fc.nat({ max: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom<ReviewStep[]>('submit', 'approve', 'withdraw', 'revoke') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('logo', 'transfer', 'delete and restore') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('purge and import', 'set the clock back') }) },
) as fc.Arbitrary<Step>;

/** A revision as it was when it was the current one. */
type Seen = { revision: number; content: AppContent; revisionNonce: string; at: number };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now, initialSettings: { uniqueNames: false } });
  });
  after(() => fixture.close());

  const row = async (id: string) => findApp(fixture.registry.storage.reader, { id });
  const rowOf = async (id: string) => (await row(id)) ?? assert.fail('the app is gone');
  const find = async (id: string, name: number | string) =>
    outcome(findRevision(fixture.registry, fixture.registry.storage.reader, { app: await rowOf(id), name }));
  const findAt = async (id: string, time: number) =>
    outcome(findRevisionAt(fixture.registry.storage.reader, { app: await rowOf(id), time }));

  /** A transfer of a changed app gives its approved content a revision without an event. */
  const isOnlyApproved = async (id: string, revision: number) => (await rowOf(id)).approved_revision === revision;

  /** Takes the steps, and returns every revision of the history that the app has at the end. */
  async function take(appId: string, steps: Step[]): Promise<Seen[]> {
    let seen = [seenOf(await rowOf(appId), now)];
    for (const step of steps) {
      now += 60_000;
      const isNew = await takeOne(appId, step, seen).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
      });
      const after = await rowOf(appId);
      if (isNew) seen = [];
      if (after.revision !== seen.at(-1)?.revision) seen.push(seenOf(after, now));
    }
    return seen;
  }

  /** Returns whether the app is another one under the same id. */
  async function takeOne(appId: string, step: Step, seen: Seen[]): Promise<boolean> {
    const { registry, developer, otherDeveloper } = fixture;
    const app = await rowOf(appId);
    switch (step.do) {
      case 'update as developer':
        await updateApp(
          registry,
          { actor: newId('token'), requestId: null },
          { appId, developerId: app.developer_id, update: step.update },
        );
        return false;
      case 'update as operator':
        await updateAppAsOperator(registry, commandLine, { appId, update: step.update });
        return false;
      case 'logo': {
        const { id: logoId } = await fixture.newLogo(app.developer_id);
        await updateAppAsOperator(registry, commandLine, { appId, update: { logoId } });
        return false;
      }
      case 'import':
        await importText(
          registry,
          lineOf(app, { ...withoutNulls(step.update), revision: app.revision + step.skipped }),
        );
        return false;
      case 'transfer': {
        const { id: developerId } = app.developer_id === developer.id ? otherDeveloper : developer;
        await transferApp(registry, commandLine, { appId, transfer: { developerId } });
        return false;
      }
      case 'delete and restore':
        await deleteApp(registry, commandLine, { appId });
        await restoreApp(registry, commandLine, appId);
        return false;
      case 'purge and import':
        await deleteApp(registry, commandLine, { appId });
        await registry.storage.write((transaction) => removeDeletedApp(transaction, { id: appId }));
        await importText(registry, lineOf(app, { revision: 4 }));
        return true;
      case 'set the clock back':
        now -= 150_000;
        return false;
      case 'revert':
        await revertApp(registry, commandLine, {
          appId,
          revert: { toRevision: seen[step.to % seen.length]?.revision },
        });
        return false;
      default:
        await fixture.review(appId, step.do);
        return false;
    }
  }

  test('every revision is found as it was by number, tag and time, and no other one is found', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 20 }), async (steps) => {
        const { id } = await fixture.newApp();
        const seen = await take(id, steps);
        for (let number = 1; number <= (seen.at(-1)?.revision ?? 0) + 1; number += 1) {
          const expected = seen.find(({ revision }) => revision === number);
          const found = await find(id, number);
          if (!expected && (await isOnlyApproved(id, number))) assert.equal(typeof found, 'object');
          else if (!expected) assert.equal(found, 'revision_not_found');
          else {
            assert.deepEqual(comparable(found, await rowOf(id)), comparable(expected, await rowOf(id)));
            const tag = revisionETag(fixture.registry, { revision: number, revision_nonce: expected.revisionNonce });
            assert.deepEqual(await find(id, tag.slice(1, -1)), found);
          }
          assert.equal(await find(id, `${number}.other`), 'revision_not_found');
        }
        for (const { at } of seen) {
          for (const time of [at - 1, at, at + 1]) {
            const expected = seen.findLast((revision) => revision.at <= time);
            const found = await findAt(id, time);
            assert.deepEqual(
              typeof found === 'string' ? found : found.revision,
              expected?.revision ?? 'revision_not_found',
            );
          }
        }
        assert.deepEqual(await listed(id), seen.map(({ revision }) => revision).toReversed());
      }),
      { numRuns: engine.name === 'postgres' ? 15 : 60 },
    );
  });

  test('once events are archived, every revision is found as it was or reported as archived', async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 20 }), fc.nat({ max: 10 }), async (steps, count) => {
        const { id } = await fixture.newApp();
        const seen = await take(id, steps);
        await archiveFirstEvents(fixture.registry, id, count);
        const app = await rowOf(id);
        for (const expected of seen) {
          const result = await find(id, expected.revision);
          outcomes.add(typeof result === 'string' ? result : 'found');
          if (result === 'revision_archived') continue;
          assert.ok(typeof result === 'object', `${result}`);
          assert.deepEqual(contentOf(result.content, app), contentOf(expected.content, app));
        }
      }),
      { numRuns: engine.name === 'postgres' ? 15 : 60 },
    );
    assert.deepEqual([...outcomes].toSorted(), ['found', 'revision_archived']);
  });

  /** The numbers of all revisions, in pages. */
  async function listed(appId: string): Promise<number[]> {
    const numbers: number[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await listAppRevisions(fixture.registry, appId, { limit: 2, ...(cursor && { cursor }) });
      numbers.push(...page.items.map(({ revision }) => revision));
      cursor = page.nextCursor;
      if (!cursor) return numbers;
    }
  }
});

async function outcome(finding: Promise<AppRevision>): Promise<AppRevision | string> {
  return finding.catch((error: unknown) => {
    if (error instanceof Failure) return error.code;
    throw error;
  });
}

function seenOf(app: AppRow, at: number): Seen {
  return { revision: app.revision, content: contentIn(app), revisionNonce: app.revision_nonce, at };
}

function comparable(found: AppRevision | Seen | string, app: AppRow): unknown {
  if (typeof found === 'string') return found;
  const { revision, content, revisionNonce, at } = found;
  return { revision, revisionNonce, at, content: contentOf(content, app) };
}

/** The logo of the approved content may be a copy by now. */
function contentOf(content: AppContent, { approved_revision: approved }: AppRow): object {
  return approved === null ? content : { ...content, logo_id: null };
}

/** A line that imports an app as it is, with some changes. */
function lineOf(app: AppRow, changes: object): string {
  const content = { name: app.name, ...contentView(app), ...(app.logo_id !== null && { logoId: app.logo_id }) };
  const line = {
    type: 'app',
    id: app.id,
    developerId: app.developer_id,
    createdAt: new Date(app.created_at).toISOString(),
  };
  return `${JSON.stringify({ ...line, ...content, ...changes })}\n`;
}

function withoutNulls(update: object): object {
  return JSON.parse(JSON.stringify(update), (_, value) => value ?? undefined);
}
