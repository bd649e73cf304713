import type { OperatorApp, Revert } from '@appregistrar/client/operator';
import { operator } from '../../operator.ts';
import { type Draft, isEmpty } from './drafts.ts';
import type { Key } from './keys.ts';
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
  scope: 'portal' | 'review';
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
  send: (app: OperatorApp, draft: Draft, options: StepOptions) => Promise<OperatorApp | object>;
}

export const steps = {
  approve: {
    name: 'Approve',
    key: 'a',
    scope: 'review',
    confirm: 'Approve',
    done: 'Approved',
    writes: 'optional',
    correction: { name: 'Revoke…', step: 'revoke' },
    send: ({ id, etag }, draft) => operator.apps.approve(id, { revision: etag, ...detailsOf(draft) }),
  },
  reject: {
    name: 'Reject',
    key: 'r',
    scope: 'review',
    confirm: 'Reject the app',
    done: 'Rejected',
    writes: 'message',
    correction: { name: 'Submit again…', step: 'submit' },
    send: ({ id, etag }, draft) => operator.apps.reject(id, { revision: etag, ...rejectionOf(draft) }),
  },
  'reject-change': {
    name: 'Reject',
    key: 'r',
    scope: 'review',
    confirm: 'Reject the change',
    done: 'Rejected the change of',
    writes: 'message',
    send: ({ id, etag }, draft) => operator.apps.rejectChange(id, { revision: etag, ...rejectionOf(draft) }),
  },
  revert: {
    name: 'Revert',
    key: 'v',
    scope: 'review',
    confirm: 'Revert the content',
    done: 'Reverted the change of',
    writes: 'reason',
    correction: { name: 'Restore the change…', step: 'revert' },
    send: ({ id, etag }, { message }, { to = { toApproved: true } }) =>
      operator.apps.revert(id, { ...to, ...(message.trim() && { reason: message }) }, { ifMatch: etag }),
  },
  revoke: {
    name: 'Revoke',
    scope: 'review',
    confirm: 'Revoke the approval',
    done: 'Revoked the approval of',
    writes: 'message',
    disables: true,
    correction: { name: 'Submit again…', step: 'submit' },
    send: ({ id, etag }, draft, { disableInstallations }) =>
      operator.apps.revoke(
        id,
        { ...rejectionOf(draft), ...(disableInstallations && { disableInstallations }) },
        { ifMatch: etag },
      ),
  },
  submit: {
    name: 'Submit for review',
    scope: 'portal',
    confirm: 'Submit for review',
    done: 'Submitted',
    correction: { name: 'Withdraw…', step: 'withdraw' },
    send: ({ id, etag }) => operator.apps.submit(id, { ifMatch: etag }),
  },
  withdraw: {
    name: 'Withdraw',
    scope: 'portal',
    confirm: 'Withdraw the submission',
    done: 'Withdrew the submission of',
    correction: { name: 'Submit again…', step: 'submit' },
    send: ({ id, etag }) => operator.apps.withdraw(id, { ifMatch: etag }),
  },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof steps;

/** The steps that the app can be taken through now by someone with these scopes, in the order of their buttons. */
export function possibleSteps(opened: OpenedApp, hasScope: Record<Step['scope'], boolean>): StepName[] {
  return stepNames.filter((name) => {
    const isAllowed = name === 'revert' ? revertTargets(opened).length > 0 : opened.reviewSteps.includes(name);
    return isAllowed && hasScope[steps[name].scope];
  });
}

const stepNames = Object.keys(steps) as StepName[];

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
    return 'A submission cannot be reverted. Reject it so that its developer can change it.';
  }
  if (key === 'v') return 'Nothing to revert: the content has not changed since approval, or was never approved.';
  if (key === 'r' && app.changedSinceApproval) {
    return 'This registry applies changes to approved apps at once, so this change cannot be rejected. Revert it, or revoke the approval.';
  }
  return 'Not possible now: nothing awaits a decision.';
}

/** The draft as the details of a rejection, which needs a message. */
function rejectionOf(draft: Draft) {
  return { ...detailsOf(draft), message: draft.message };
}

/** The draft as the details of a decision. */
function detailsOf(draft: Draft) {
  if (isEmpty(draft)) return {};
  const { message, code, note, marks } = draft;
  return {
    ...(message.trim() && { message }),
    ...(code.trim() && { code: code.trim() }),
    ...(marks.length > 0 && { fields: marks }),
    ...(note.trim() && { note }),
  };
}
