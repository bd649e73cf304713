import type { OperatorApp, Revert } from '@appregistrar/client/operator';
import { labelOf } from '../../content.ts';
import { lastingOperator, operator } from '../../operator.ts';
import type { Draft } from './drafts.ts';
import type { Key } from './keys.ts';
import type { UndoableStep, UnsentDecision } from './unsent-decisions.ts';
import type { OpenedApp } from './use-opened-app.ts';

/** What is sent with a step, besides what was written. */
export interface StepOptions {
  disableInstallations?: boolean;
  to?: Revert;
}

/** A step that a reviewer can take an app through. */
export interface Step {
  name: string;
  key?: Key;
  /** The label of the button that takes the step, in a form. */
  confirm: string;
  /** What happened, before the name of the app. */
  done: string;
  /** What may be written for it; without one, there is no form. */
  writes?: 'optional' | 'message' | 'reason';
  /** Whether it may disable installations too. */
  disables?: boolean;
  /** The step that corrects it, if the registry allows that then. */
  correction?: { name: string; step: string };
  /** Sends it immediately. A step without this waits until it can no longer be undone. */
  send?: (app: OperatorApp, draft: Draft, options: StepOptions) => Promise<OperatorApp>;
}

export const steps = {
  approve: { name: 'Approve', key: 'a', confirm: 'Approve', done: 'Approved', writes: 'optional' },
  reject: { name: 'Send back', key: 'r', confirm: 'Send back', done: 'Sent back', writes: 'message' },
  'reject-change': {
    name: 'Send back',
    key: 'r',
    confirm: 'Send back the change',
    done: 'Sent back the change of',
    writes: 'message',
  },
  revert: {
    name: 'Revert',
    key: 'v',
    confirm: 'Revert the content',
    done: 'Reverted the change of',
    writes: 'reason',
    correction: { name: 'Restore the change…', step: 'revert' },
    send: ({ id, etag }, { message }, { to = { toApproved: true } }) =>
      operator.apps.revert(id, { ...to, ...(message.trim() && { reason: message }) }, { ifMatch: etag }),
  },
  revoke: {
    name: 'Revoke',
    confirm: 'Revoke the approval',
    done: 'Revoked the approval of',
    writes: 'message',
    disables: true,
    send: ({ id, etag }, draft, { disableInstallations }) =>
      operator.apps.revoke(
        id,
        { message: '', ...detailsOf(draft), ...(disableInstallations && { disableInstallations }) },
        { ifMatch: etag },
      ),
  },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof steps;

/** The steps that a reviewer can take the app through now, in the order of their buttons. */
export function possibleSteps(opened: OpenedApp): StepName[] {
  return stepNames.filter((name) =>
    name === 'revert' ? revertTargets(opened).length > 0 : opened.reviewSteps.includes(name),
  );
}

const stepNames = Object.keys(steps) as StepName[];

/** What browsers send for a page that is being closed. The rest of the request is far shorter than what this leaves. */
const lastingBytesMax = 60_000;

/** Sends a decision that can no longer be undone, under its key. */
export function sendDecision({ step, appId, etag, draft, key }: UnsentDecision): Promise<OperatorApp> {
  const body = { revision: etag, ...detailsOf(draft) };
  const isShort = new TextEncoder().encode(JSON.stringify(body)).length <= lastingBytesMax;
  const { apps } = isShort ? lastingOperator : operator;
  const options = { headers: { 'idempotency-key': key } };
  if (step === 'approve') return apps.approve(appId, body, options);
  const rejection = { message: '', ...body };
  return step === 'reject' ? apps.reject(appId, rejection, options) : apps.rejectChange(appId, rejection, options);
}

/** Whether a step can be undone until it is sent. */
export function canWait(step: StepName): step is UndoableStep {
  return !('send' in steps[step]);
}

/** Content that a reviewer can revert to. */
export interface RevertTarget {
  name: string;
  to: Revert;
}

/** The approved content and that of the last decision, where they differ from the current content. */
export function revertTargets({ app, item }: OpenedApp): RevertTarget[] {
  // The registry refuses a revert during review.
  if (app.reviewStatus === 'AWAITING_REVIEW') return [];
  const { approved } = app;
  const decided = item?.sinceLastDecision?.decision.revision;
  const targets: RevertTarget[] = [];
  if (approved) {
    targets.push({ name: `the approved content (revision ${approved.revision})`, to: { toApproved: true } });
  }
  if (decided !== undefined && decided !== approved?.revision && decided !== app.revision) {
    targets.push({ name: `the content of the last decision (revision ${decided})`, to: { toRevision: decided } });
  }
  return targets;
}

/** Why a key does nothing, where people may expect an effect. */
export function whyImpossible(key: Key, { app }: OpenedApp, canReview: boolean): string {
  if (!canReview) return 'Your token lacks the scope for this.';
  if (key === 'v' && app.reviewStatus === 'AWAITING_REVIEW') {
    return 'A submission cannot be reverted. Send it back so that its developer can change it.';
  }
  if (key === 'v') return 'Nothing to revert: the content has not changed since approval, or was never approved.';
  if (key === 'r' && app.changedSinceApproval) {
    return 'Customers already see this change, so it cannot be sent back. Revert it, or revoke the approval.';
  }
  return 'Not possible now: nothing awaits a decision.';
}

/** The draft as the details of a decision. Comments on fields need no further message. */
function detailsOf({ message, code, note, marks }: Draft) {
  const text = message.trim() || (marks.length > 0 ? `See the comments: ${fieldNames(marks)}.` : '');
  return {
    ...(text && { message: text }),
    ...(code.trim() && { code: code.trim() }),
    ...(marks.length > 0 && { fields: marks }),
    ...(note.trim() && { note }),
  };
}

/** The fields that have been commented on, for people. */
export function fieldNames(marks: Draft['marks']): string {
  return marks.map(({ pointer }) => labelOf(pointer.slice(1).replaceAll('/', '.'))).join(', ');
}
