import { isDeepStrictEqual } from 'node:util';
import type { DeveloperApp, PlatformApp } from '../../packages/server/src/contract/app.ts';
import type { Installation } from '../../packages/server/src/contract/installation.ts';
import type { OperatorApp } from '../../packages/server/src/contract/operator-app.ts';
import type { ReviewStatus, ReviewStep } from '../../packages/server/src/contract/review.ts';
import { digestOf, type Installed, type InstalledApp } from './installations.ts';
import type { Interval, Model } from './linearizability.ts';

/** What a client asks about one app. */
export type Question =
  | { kind: 'update'; given: Partial<Content>; ifRevision?: number }
  | { kind: 'read' }
  | { kind: 'get' }
  | { kind: 'show' }
  | { kind: 'install'; workspaceId: string; byOwner: boolean }
  | { kind: 'remove' | 'enable' | 'disable'; installationId: string }
  | { kind: 'review'; step: ReviewStep; reason?: string; ifRevision?: number; disables?: boolean };

/** What it was told: a view, or the code of a refusal. A `revision` is that of the `ETag`. */
export interface Told {
  refusal?: string;
  revision?: number;
  developerApp?: DeveloperApp;
  platformApp?: PlatformApp;
  operatorApp?: OperatorApp;
  installation?: Installation;
}

export interface Operation extends Interval {
  question: Question;
  told: Told;
  /** Which process answered. */
  process: number;
}

interface Content {
  name: string;
  shortDescription: string;
}

/** All of one app that answers show. */
export interface AppState extends Content {
  revision: number;
  status: ReviewStatus;
  updatedAt: string;
  approvedRevision: number | null;
  reason: string | null;
  installations: Installed;
}

/** One app as the interface and decisions 13, 14, 17, 22, 24 and 28 have it, with its answers. */
export function appModel(initial: AppState): Model<AppState, Operation> {
  return { initial, apply, key };
}

function apply(state: AppState, { question, told }: Operation): AppState | null {
  // Overload, or a lock that was waited for too long: nothing was changed.
  if (told.refusal === 'unavailable') return state;
  const refusal = refusalOf(state, question);
  if (refusal !== null || told.refusal !== undefined) return refusal === told.refusal ? state : null;
  const next = nextOf(state, question, told);
  if (next === null || next.updatedAt < state.updatedAt) return null;
  return isTold(next, question, told) ? next : null;
}

function refusalOf(state: AppState, question: Question): string | null {
  switch (question.kind) {
    case 'update':
      if (isStale(state, question)) return 'precondition_failed';
      return state.status === 'AWAITING_REVIEW' ? 'app_under_review' : null;
    case 'install':
      if (!question.byOwner && state.status !== 'APPROVED') return 'app_not_approved';
      return state.installations.isIn(question.workspaceId) ? 'already_exists' : null;
    case 'remove':
    case 'enable':
    case 'disable':
      return refusalOfInstalled(state, question.kind, state.installations.get(question.installationId));
    case 'review':
      if (!stepsFrom[question.step].includes(state.status)) return 'review_status_conflict';
      return isStale(state, question) ? 'precondition_failed' : null;
    default:
      return null;
  }
}

function refusalOfInstalled({ status }: AppState, kind: string, installed: InstalledApp | undefined): string | null {
  if (!installed) return 'installation_not_found';
  const mayNot = kind === 'enable' && !installed.view.enabled && status !== 'APPROVED' && !installed.byOwner;
  return mayNot ? 'app_not_approved' : null;
}

const stepsFrom: Record<ReviewStep, ReviewStatus[]> = {
  submit: ['DRAFT', 'REJECTED'],
  withdraw: ['AWAITING_REVIEW'],
  approve: ['AWAITING_REVIEW'],
  reject: ['AWAITING_REVIEW'],
  revoke: ['APPROVED'],
};

const statusAfter: Record<ReviewStep, ReviewStatus> = {
  submit: 'AWAITING_REVIEW',
  withdraw: 'DRAFT',
  approve: 'APPROVED',
  reject: 'REJECTED',
  revoke: 'REJECTED',
};

function isStale({ revision }: AppState, { ifRevision }: { ifRevision?: number }): boolean {
  return ifRevision !== undefined && ifRevision !== revision;
}

/** Times and ids are those that the answer tells. */
function nextOf(state: AppState, question: Question, told: Told): AppState | null {
  switch (question.kind) {
    case 'update':
      // Every value that is given is a new one.
      return {
        ...state,
        ...question.given,
        revision: state.revision + 1,
        updatedAt: told.developerApp?.updatedAt ?? '',
      };
    case 'install':
      return installed(state, question, told.installation);
    case 'remove':
      return without(state, question.installationId);
    case 'enable':
    case 'disable':
      return switched(state, question.installationId, question.kind === 'enable');
    case 'review':
      return reviewed(state, question, told.operatorApp?.updatedAt ?? '');
    default:
      return state;
  }
}

function installed(
  state: AppState,
  { workspaceId, byOwner }: { workspaceId: string; byOwner: boolean },
  installation: Installation | undefined,
): AppState | null {
  if (!installation?.enabled || installation.workspaceId !== workspaceId) return null;
  return { ...state, installations: state.installations.with({ view: installation, revoked: false, byOwner }) };
}

function without(state: AppState, id: string): AppState {
  return { ...state, installations: state.installations.without(id) };
}

function switched(state: AppState, id: string, enabled: boolean): AppState {
  const one = state.installations.get(id) as InstalledApp;
  const after = { ...one, view: { ...one.view, enabled }, revoked: false };
  return { ...state, installations: state.installations.with(after) };
}

function reviewed(
  state: AppState,
  { step, reason, disables }: Extract<Question, { kind: 'review' }>,
  updatedAt: string,
): AppState {
  const next = { ...state, status: statusAfter[step], updatedAt, reason: reason ?? state.reason };
  if (step === 'revoke' && disables) return { ...next, installations: state.installations.map(revoked) };
  if (step !== 'approve') return next;
  return { ...next, reason: null, approvedRevision: state.revision, installations: state.installations.map(restored) };
}

function revoked(one: InstalledApp): InstalledApp {
  return one.view.enabled ? { ...one, view: { ...one.view, enabled: false }, revoked: true } : one;
}

function restored(one: InstalledApp): InstalledApp {
  return one.revoked ? { ...one, view: { ...one.view, enabled: true }, revoked: false } : one;
}

/** Whether an answer shows what it was given from, and all of it: the count of installations with their list. */
function isTold(state: AppState, question: Question, told: Told): boolean {
  switch (question.kind) {
    case 'update':
    case 'read':
      return told.revision === state.revision && isDeveloperView(state, told.developerApp);
    case 'get':
      return isPlatformView(state, told.platformApp);
    case 'show':
    case 'review':
      return told.revision === state.revision && isOperatorView(state, told.operatorApp);
    case 'remove':
      return told.installation?.id === question.installationId;
    default:
      return isDeepStrictEqual(told.installation, state.installations.get(told.installation?.id ?? '')?.view);
  }
}

function isDeveloperView(state: AppState, view: DeveloperApp | undefined): boolean {
  return (
    view?.installationCount === state.installations.size &&
    view.listingInfo.shortDescription === state.shortDescription &&
    isCommonView(state, view)
  );
}

function isPlatformView(state: AppState, view: PlatformApp | undefined): boolean {
  if (!view || !isCommonView(state, view)) return false;
  return digestOf(view.installations) === state.installations.shown;
}

function isOperatorView(state: AppState, view: OperatorApp | undefined): boolean {
  return (
    isDeveloperView(state, view) &&
    view?.revision === state.revision &&
    (view.rejectionReason ?? null) === state.reason &&
    (view.approved?.revision ?? null) === state.approvedRevision &&
    view.changedSinceApproval === (view.approved && state.revision !== state.approvedRevision)
  );
}

function isCommonView(state: AppState, view: DeveloperApp | PlatformApp): boolean {
  return view.name === state.name && view.reviewStatus === state.status && view.updatedAt === state.updatedAt;
}

function key({ installations, ...rest }: AppState): string {
  return `${JSON.stringify(rest)} ${installations.key}`;
}
