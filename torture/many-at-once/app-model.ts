import { isDeepStrictEqual } from 'node:util';
import type { DeveloperApp, PlatformApp } from '../../packages/server/src/contract/app.ts';
import type { Installation } from '../../packages/server/src/contract/installation.ts';
import type { OperatorApp } from '../../packages/server/src/contract/operator-app.ts';
import type { ReviewStatus, ReviewStep } from '../../packages/server/src/contract/review/review-status.ts';
import { digestOf, type Installations, type InstalledApp } from './installations.ts';
import type { Interval, Model } from './linearizability.ts';

/** A request about one app. */
export type AppRequest =
  | { kind: 'update'; given: Partial<Content>; ifRevision?: number }
  | { kind: 'read' }
  | { kind: 'get' }
  | { kind: 'show' }
  | { kind: 'install'; workspaceId: string; byOwner: boolean }
  | { kind: 'remove' | 'enable' | 'disable'; installationId: string }
  | { kind: 'review'; step: ReviewStep; reason?: string; ifRevision?: number; disables?: boolean };

/** A view, or the problem code of a refusal. `revision` comes from the `ETag`. */
export interface AppResponse {
  refusal?: string;
  revision?: number;
  developerApp?: DeveloperApp;
  platformApp?: PlatformApp;
  operatorApp?: OperatorApp;
  installation?: Installation;
}

export interface Operation extends Interval {
  request: AppRequest;
  response: AppResponse;
  /** The process that responded. */
  process: number;
}

interface Content {
  name: string;
  shortDescription: string;
}

/** The state of one app that responses show. */
export interface AppState extends Content {
  revision: number;
  status: ReviewStatus;
  updatedAt: string;
  approvedRevision: number | null;
  reason: string | null;
  installations: Installations;
}

/** The sequential model of one app and its responses, by the interface and decisions 13, 14, 17, 22, 24 and 28. */
export function appModel(initial: AppState): Model<AppState, Operation> {
  return { initial, apply, key };
}

function apply(state: AppState, { request, response }: Operation): AppState | null {
  // Overload, or a lock timeout: nothing was changed.
  if (response.refusal === 'unavailable') return state;
  const refusal = refusalOf(state, request);
  if (refusal !== null || response.refusal !== undefined) return refusal === response.refusal ? state : null;
  const next = nextOf(state, request, response);
  if (next === null || next.updatedAt < state.updatedAt) return null;
  return isConsistent(next, request, response) ? next : null;
}

function refusalOf(state: AppState, request: AppRequest): string | null {
  switch (request.kind) {
    case 'update':
      if (isStale(state, request)) return 'precondition_failed';
      return state.status === 'AWAITING_REVIEW' ? 'app_under_review' : null;
    case 'install':
      if (!request.byOwner && state.status !== 'APPROVED') return 'app_not_approved';
      return state.installations.isIn(request.workspaceId) ? 'already_exists' : null;
    case 'remove':
    case 'enable':
    case 'disable':
      return refusalOfInstalled(state, request.kind, state.installations.get(request.installationId));
    case 'review':
      if (!stepsFrom[request.step].includes(state.status) && !isOfChange(state, request))
        return 'review_status_conflict';
      return isStale(state, request) ? 'precondition_failed' : null;
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
  // Changes take effect at once.
  'reject-change': [],
  revoke: ['APPROVED'],
};

const statusAfter: Record<ReviewStep, ReviewStatus> = {
  submit: 'AWAITING_REVIEW',
  withdraw: 'DRAFT',
  approve: 'APPROVED',
  reject: 'REJECTED',
  'reject-change': 'APPROVED',
  revoke: 'REJECTED',
};

/** Whether a step approves a change of an approved app. Every update changes something. */
function isOfChange({ status, revision, approvedRevision }: AppState, { step }: { step: ReviewStep }): boolean {
  return step === 'approve' && status === 'APPROVED' && revision !== approvedRevision;
}

function isStale(state: AppState, request: { step?: ReviewStep; ifRevision?: number }): boolean {
  const { ifRevision = state.revision, step } = request;
  if (step === undefined || !isOfChange(state, { step })) return ifRevision !== state.revision;
  return ifRevision <= (state.approvedRevision ?? 0) || ifRevision > state.revision;
}

/** Takes times and ids from the response. */
function nextOf(state: AppState, request: AppRequest, response: AppResponse): AppState | null {
  switch (request.kind) {
    case 'update':
      // Every given value is new.
      return {
        ...state,
        ...request.given,
        revision: state.revision + 1,
        updatedAt: response.developerApp?.updatedAt ?? '',
      };
    case 'install':
      return installed(state, request, response.installation);
    case 'remove':
      return uninstalled(state, request.installationId);
    case 'enable':
    case 'disable':
      return switched(state, request.installationId, request.kind === 'enable');
    case 'review':
      return reviewed(state, request, response.operatorApp?.updatedAt ?? '');
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

function uninstalled(state: AppState, id: string): AppState {
  return { ...state, installations: state.installations.without(id) };
}

function switched(state: AppState, id: string, enabled: boolean): AppState {
  const one = state.installations.get(id) as InstalledApp;
  const after = { ...one, view: { ...one.view, enabled }, revoked: false };
  return { ...state, installations: state.installations.with(after) };
}

function reviewed(
  state: AppState,
  { step, reason, ifRevision, disables }: Extract<AppRequest, { kind: 'review' }>,
  updatedAt: string,
): AppState {
  const next = { ...state, status: statusOf(state, step), updatedAt, reason: reason ?? state.reason };
  if (step === 'revoke' && disables) return { ...next, installations: state.installations.map(revoked) };
  if (step !== 'approve') return next;
  const approvedRevision = ifRevision ?? state.revision;
  return { ...next, reason: null, approvedRevision, installations: state.installations.map(restored) };
}

/** A withdrawal leads back to the status before the submission: a rejected app has a reason. */
function statusOf({ reason }: AppState, step: ReviewStep): ReviewStatus {
  return step === 'withdraw' && reason !== null ? 'REJECTED' : statusAfter[step];
}

function revoked(one: InstalledApp): InstalledApp {
  return one.view.enabled ? { ...one, view: { ...one.view, enabled: false }, revoked: true } : one;
}

function restored(one: InstalledApp): InstalledApp {
  return one.revoked ? { ...one, view: { ...one.view, enabled: true }, revoked: false } : one;
}

/** Whether a response shows exactly this state, including the installation count and list. */
function isConsistent(state: AppState, request: AppRequest, response: AppResponse): boolean {
  switch (request.kind) {
    case 'update':
    case 'read':
      return response.revision === state.revision && isDeveloperView(state, response.developerApp);
    case 'get':
      return isPlatformView(state, response.platformApp);
    case 'show':
    case 'review':
      return response.revision === state.revision && isOperatorView(state, response.operatorApp);
    case 'remove':
      return response.installation?.id === request.installationId;
    default:
      return isDeepStrictEqual(response.installation, state.installations.get(response.installation?.id ?? '')?.view);
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
