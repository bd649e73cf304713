import { AppRegistryError } from '@appregistrar/client';
import { type AppWithWarnings, approvedContent, type Decision, type OperatorApp } from '@appregistrar/client/operator';
import type { ComponentChildren } from 'preact';
import { useHolder } from '../../holder.ts';
import { operator } from '../../operator.ts';
import { RecentTime } from '../../parts/date-time.tsx';
import type { OpenedApp } from './use-opened-app.ts';

/** What happened to the app since it was opened, and why a step was refused. */
export interface Refusal {
  what: 'decided' | 'changed' | 'submitted' | 'withdrawn' | 'deleted';
  /** The app as it is now. */
  app?: AppWithWarnings;
  decision?: Decision;
  /** The name of who decided. */
  decidedBy?: string | undefined;
}

const outdated: readonly (string | undefined)[] = [
  'app_not_found',
  'precondition_failed',
  'revision_mismatch',
  'review_status_conflict',
];

/** An app as it is on screen. */
export type ShownApp = Pick<OpenedApp, 'app' | 'item'>;

/** Undefined where the error has another cause. */
export async function findRefusal(error: unknown, shown: ShownApp): Promise<Refusal | undefined> {
  if (!AppRegistryError.is(error) || !outdated.includes(error.code)) return undefined;
  if (error.code === 'app_not_found') return { what: 'deleted' };
  const { app: before } = shown;
  return happenedTo(before, await operator.apps.get(before.id));
}

/** What has happened to an app, decisions first; undefined if this console has no words for it. */
export async function happenedTo(
  before: OperatorApp,
  app: AppWithWarnings,
  isDecided = false,
): Promise<Refusal | undefined> {
  if (app.deletedAt) return { what: 'deleted' };
  const { reviewStatus, etag } = app;
  const [approved, approvedBefore] = [approvedContent(app), approvedContent(before)];
  const isAsBefore = reviewStatus === before.reviewStatus && approved?.revision === approvedBefore?.revision;
  // A new revision alone is no decision.
  if (isDecided || !isAsBefore || etag === before.etag) {
    const { items, actors } = await operator.apps.listDecisions(before.id, { limit: 1, actors: true }).page();
    const [decision] = items;
    // Both are times of the registry.
    if (decision && decision.decidedAt > before.updatedAt) {
      return { what: 'decided', app, decision, decidedBy: actors?.find(({ actor }) => actor === decision.actor)?.name };
    }
  }
  if (app.etag !== before.etag) return { what: 'changed', app };
  if (app.reviewStatus === before.reviewStatus) return undefined;
  return { what: app.reviewStatus === 'AWAITING_REVIEW' ? 'submitted' : 'withdrawn', app };
}

interface RefusalNoteProps {
  refusal: Refusal;
  keepsText: boolean;
  /** Shows the current version, where the earlier one is still on screen. */
  showNow?: (() => void) | undefined;
  /** What can be done next. */
  children?: ComponentChildren;
}

/** Explains the refusal. Stands in a region that screen readers announce. */
export function RefusalNote({ refusal, keepsText, showNow, children }: RefusalNoteProps) {
  return (
    <div class="warning">
      <p>
        <Words refusal={refusal} isShown={!showNow} /> {keepsText && 'Your text is kept.'}
      </p>
      {refusal.decision?.message && (
        <blockquote class="value" dir="auto">
          {refusal.decision.message}
        </blockquote>
      )}
      {(showNow || children) && (
        <p>
          {showNow && (
            <button type="button" class="small" onClick={showNow}>
              Show the current version
            </button>
          )}{' '}
          {children}
        </p>
      )}
    </div>
  );
}

function Words({
  refusal: { what, app, decision, decidedBy },
  isShown,
}: Pick<RefusalNoteProps, 'refusal'> & { isShown: boolean }) {
  const { holderId } = useHolder();
  if (what === 'deleted') return <>This app has been deleted.</>;
  if (what === 'submitted') return <>This app has been submitted for review.</>;
  if (what === 'withdrawn') return <>The submission has been withdrawn, so there is nothing to decide.</>;
  if (what === 'changed' || !decision) {
    return (
      <>
        The developer changed this app <RecentTime at={app?.updatedAt ?? ''} />.{' '}
        {isShown
          ? 'The current version is below: read it before you decide.'
          : 'The earlier version is still shown below.'}
      </>
    );
  }
  return (
    <>
      {decision.actor === holderId ? 'You, in another window,' : <bdi>{decidedBy ?? decision.actor}</bdi>}{' '}
      {past[decision.step] ?? 'decided on this'} <RecentTime at={decision.decidedAt} />.
    </>
  );
}

/** Steps of later releases have no words here. */
const past: Record<string, string> = {
  approve: 'approved this',
  reject: 'rejected this',
  'reject-change': 'rejected this change',
  revoke: 'revoked the approval of this',
};
