import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, restoreApp, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import fc from 'fast-check';
import { Failure } from '../../../kernel/failure.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { effectiveIn } from '../../events/append-event.ts';
import { approvedContent, contentData, nameKey } from '../app-content.ts';
import { getApp, readAppRevision } from '../get-app.ts';
import { clearedSinceApproval, effectiveContent, shownContent } from '../next-app.ts';
import type { ReviewStep } from './review-status.ts';

type Step =
  | { do: 'edit'; update: object }
  | { do: ReviewStep }
  | { do: 'switch'; settings: { update: object; existing?: 'approve' | 'hold' } }
  | { do: 'delete and restore' }
  | { do: 'transfer' };

const urls = [null, 'https://a.example/back', 'https://b.example/back'];
const edit = fc.record({
  do: fc.constant('edit' as const),
  update: fc.oneof(
    fc.record({ name: fc.constantFrom('One', 'Two', 'Three') }),
    fc.record({ oauthInfo: fc.record({ callbackUrl: fc.constantFrom(...urls) }) }),
    fc.record({ listingInfo: fc.record({ shortDescription: fc.constantFrom(null, 'Short.') }) }),
  ),
});
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: edit },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom<ReviewStep[]>('submit', 'withdraw', 'approve', 'approve', 'reject', 'revoke'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('switch' as const),
      settings: fc.constantFrom(
        { update: { changesToApproved: 'live' } },
        { update: { changesToApproved: 'hold' }, existing: 'hold' as const },
        { update: { changesToApproved: 'hold' }, existing: 'approve' as const },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('delete and restore' as const, 'transfer' as const) }) },
);

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  let runs = 0;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const take = async (appId: string, step: Step) => {
    const { registry, developer, otherDeveloper } = fixture;
    if (step.do === 'edit') return updateAppAsOperator(registry, commandLine, { appId, update: named(step.update) });
    if (step.do === 'switch') return updateSettings(registry, commandLine, step.settings);
    if (step.do === 'delete and restore') {
      await deleteApp(registry, commandLine, { appId, force: true });
      return restoreApp(registry, commandLine, appId);
    }
    if (step.do !== 'transfer') return fixture.review(appId, step.do);
    const owner = (await row(appId))?.developer_id;
    const { id: developerId } = owner === developer.id ? otherDeveloper : developer;
    return transferApp(registry, commandLine, { appId, transfer: { developerId } });
  };
  const named = (update: object) => ('name' in update ? { name: `${update.name} ${runs}` } : update);
  const row = async (id: string) => (await rowsOf(fixture.registry.storage, 'apps')).find((app) => app.id === id);

  const look = async (id: string) => {
    const app = await row(id);
    assert.ok(app);
    const [settings] = await rowsOf(fixture.registry.storage, 'settings');
    const changesToApproved = settings?.changes_to_approved ?? 'live';
    const view = (await getApp(fixture.registry, id)).app;
    return { app, changesToApproved, view, tag: await readAppRevision(fixture.registry, id) };
  };

  /** What a follower of the events takes for the effective content. */
  const followed = async (id: string) => {
    let content: object | null = null;
    for (const event of await fixture.eventsOf(id)) {
      const effective = effectiveIn(event);
      if (effective !== undefined) content = effective && merged(content ?? {}, effective);
    }
    return content;
  };

  test('after any steps in any order, what is shown, effective, claimed and waiting follows from what was decided', async () => {
    const steps = fc.array(anyStep, { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        runs += 1;
        const { id } = await fixture.newApp({ name: `One ${runs}` });
        let seen = await look(id);
        for (const step of steps) {
          now += 1000;
          await take(id, step).catch((error: unknown) => assert.ok(error instanceof Failure, String(error)));
          const { app, changesToApproved, view, tag } = await look(id);
          const shown = shownContent(app, changesToApproved);
          const isHeld = changesToApproved === 'hold' && app.approved_content !== null;
          assert.equal(view.name, isHeld ? approvedContent(app)?.name : app.name);
          assert.ok(view.updatedAt >= seen.view.updatedAt, 'updatedAt never moves backwards');
          if (JSON.stringify(view) !== JSON.stringify(seen.view)) assert.notEqual(tag, seen.tag);
          const isHeldEdit = step.do === 'edit' && isHeld;
          const isShownSame =
            JSON.stringify(contentData(shown)) ===
            JSON.stringify(contentData(shownContent(seen.app, changesToApproved)));
          if (isHeldEdit && isShownSame) assert.equal(tag, seen.tag, 'a held change has no new tag');
          const effective = effectiveContent(app, changesToApproved);
          assert.deepEqual(await followed(id), effective && contentData(effective));
          const claims = (await rowsOf(fixture.registry.storage, 'name_claims')).filter(({ app_id }) => app_id === id);
          const approved = approvedContent(app);
          const names = [app.name, ...(approved ? [approved.name] : [])].map(nameKey);
          assert.deepEqual(claims.map(({ name_key }) => name_key).toSorted(), [...new Set(names)].toSorted());
          const isDifferent = JSON.stringify(contentData(app)) !== JSON.stringify(contentData(approved ?? app));
          const isCleared = 'callback_url' in clearedSinceApproval(app) && (approved?.callback_url ?? null) !== null;
          const isWaiting =
            app.review_status === 'AWAITING_REVIEW' ||
            (app.review_status === 'APPROVED' && (isDifferent || isCleared || app.transfer_since > 0));
          assert.equal(app.waiting_since > 0, isWaiting, 'it is in the queue exactly when something awaits a decision');
          seen = { app, changesToApproved, view, tag };
        }
        await deleteApp(fixture.registry, commandLine, { appId: id, force: true });
      }),
      { numRuns: engine.name === 'postgres' ? 15 : 60 },
    );
  });
});

/** Puts the changed fields into the content. */
function merged(content: object, changed: object): object {
  const groups = Object.entries(changed).map(([name, value]) => {
    const before: unknown = Reflect.get(content, name);
    const isGroup = typeof value === 'object' && value !== null;
    return [name, isGroup && typeof before === 'object' ? { ...before, ...value } : value];
  });
  return { ...content, ...Object.fromEntries(groups) };
}
