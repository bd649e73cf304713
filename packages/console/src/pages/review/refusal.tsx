import { AppRegistryError } from '@appregistrar/client';
import type { AppWithWarnings, Decision } from '@appregistrar/client/operator';
import { useHolder } from '../../holder.ts';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import type { OpenedApp } from './use-opened-app.ts';

/** Why a step was refused: what happened to the app since it was opened. */
export interface Refusal {
  what: 'decided' | 'changed' | 'withdrawn' | 'deleted';
  /** The app as it is now. */
  app?: AppWithWarnings;
  decision?: Decision;
  /** What people call who decided. */
  decidedBy?: string | undefined;
}

const outdated: readonly (string | undefined)[] = ['app_not_found', 'precondition_failed', 'review_status_conflict'];

/** Undefined where the error has another cause. */
export async function findRefusal(error: unknown, { app: before, item }: OpenedApp): Promise<Refusal | undefined> {
  if (!AppRegistryError.is(error) || !outdated.includes(error.code)) return undefined;
  if (error.code === 'app_not_found') return { what: 'deleted' };
  const [app, { items, actors }] = await Promise.all([
    operator.apps.get(before.id),
    operator.apps.listDecisions(before.id, { limit: 1, actors: true }).page(),
  ]);
  const [decision] = items;
  const waitingSince = item?.waitingSince ?? before.submittedAt ?? before.updatedAt;
  if (decision && decision.decidedAt >= waitingSince) {
    return { what: 'decided', app, decision, decidedBy: actors?.find(({ actor }) => actor === decision.actor)?.name };
  }
  if (app.etag !== before.etag) return { what: 'changed', app };
  return app.reviewStatus === before.reviewStatus ? undefined : { what: 'withdrawn', app };
}

/** Says so in words. */
export function RefusalNote({ refusal, keepsText }: { refusal: Refusal; keepsText: boolean }) {
  return (
    <div class="warning" role="alert">
      <p>
        <Words refusal={refusal} /> {keepsText && 'Your text is kept.'}
      </p>
      {refusal.decision?.message && (
        <blockquote class="value" dir="auto">
          {refusal.decision.message}
        </blockquote>
      )}
    </div>
  );
}

function Words({ refusal: { what, app, decision, decidedBy } }: { refusal: Refusal }) {
  const { holderId } = useHolder();
  if (what === 'deleted') return <>This app was deleted meanwhile.</>;
  if (what === 'withdrawn') return <>The submission was withdrawn meanwhile: nothing awaits a decision.</>;
  if (what === 'changed' || !decision) {
    return (
      <>
        The developer changed this app <DateTime at={app?.updatedAt ?? ''} />. Below is what it is now: look at it
        before you decide.
      </>
    );
  }
  return (
    <>
      {decision.actor === holderId ? 'You, in another window,' : <bdi>{decidedBy ?? decision.actor}</bdi>}{' '}
      {past[decision.step] ?? 'decided on this'} <DateTime at={decision.decidedAt} />.
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
