import type { Installation } from '../../packages/server/src/contract/installation.ts';
import type { ReviewStatus, ReviewStep } from '../../packages/server/src/contract/review.ts';
import { changed } from './app-changes.ts';
import { type AppState, isSame, isUndecided, keyOf } from './app-state.ts';
import { observed } from './app-views.ts';
import type { InstalledApp } from './installations.ts';
import type { Model } from './linearizability.ts';
import type { AppRequest, AppResponse, Operation, RegistryRequest } from './operations.ts';

type Request = AppRequest | RegistryRequest;

/** The sequential model of one app and its responses, by the interface and decisions 13, 14, 17, 22, 24 and 28. */
export function appModel(initial: AppState): Model<AppState, Operation> {
  return { initial, apply, key: keyOf };
}

function apply(state: AppState, { request, response }: Operation): AppState | null {
  // Overload, or a lock timeout: nothing was changed.
  if (response.refusal === 'unavailable') return state;
  const refusal = refusalOf(state, request);
  if (refusal !== null || response.refusal !== undefined) return refusal === response.refusal ? state : null;
  const next = nextOf(state, request, response);
  return next && observed(next, request, response);
}

function refusalOf(state: AppState, request: Request): string | null {
  switch (request.kind) {
    case 'update':
      if (isStale(state, request)) return 'precondition_failed';
      return state.status === 'AWAITING_REVIEW' && isChange(state, request) ? 'app_under_review' : null;
    case 'install':
      if (!request.byOwner && state.status !== 'APPROVED') return 'app_not_approved';
      return state.installations.isIn(request.workspaceId) ? 'already_exists' : null;
    case 'remove':
    case 'enable':
    case 'disable':
      return refusalOfInstalled(state, request.kind, state.installations.get(request.installationId));
    case 'review':
      if (!stepsFrom[request.step].includes(state.status)) return 'review_status_conflict';
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

function isChange({ content }: AppState, { given }: Extract<Request, { kind: 'update' }>): boolean {
  return !isSame(content, { ...content, ...given });
}

/** Takes times and ids from the response. */
function nextOf(state: AppState, request: Request, response: AppResponse): AppState | null {
  switch (request.kind) {
    case 'update': {
      const content = { ...state.content, ...request.given };
      return changed(state, { content }, { at: response.developerApp?.updatedAt });
    }
    case 'install':
      return installed(state, request, response.installation);
    case 'remove':
      return uninstalled(state, request.installationId);
    case 'enable':
    case 'disable':
      return switched(state, request.installationId, request.kind === 'enable');
    case 'review':
      return reviewed(state, request, response.operatorApp?.updatedAt ?? '');
    case 'switch':
      return withMode(state, request);
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
  const installations = state.installations.with({ view: installation, revoked: false, byOwner });
  return { ...state, installations, tag: null };
}

function uninstalled(state: AppState, id: string): AppState {
  return { ...state, installations: state.installations.without(id), tag: null };
}

function switched(state: AppState, id: string, enabled: boolean): AppState {
  const one = state.installations.get(id) as InstalledApp;
  const after = { ...one, view: { ...one.view, enabled }, revoked: false };
  return { ...state, installations: state.installations.with(after), tag: null };
}

function reviewed(
  state: AppState,
  { step, reason, disables }: Extract<AppRequest, { kind: 'review' }>,
  at: string,
): AppState | null {
  const given = { status: statusAfter[step], reason: reason ?? state.reason };
  const approval = { reason: null, approved: { revision: state.revision, content: state.content } };
  const next = changed(state, { ...given, ...(step === 'approve' && approval) }, { at });
  if (next && step === 'approve') next.installations = state.installations.map(restored);
  if (next && step === 'revoke' && disables) next.installations = state.installations.map(revoked);
  return next;
}

function revoked(one: InstalledApp): InstalledApp {
  return one.view.enabled ? { ...one, view: { ...one.view, enabled: false }, revoked: true } : one;
}

function restored(one: InstalledApp): InstalledApp {
  return one.revoked ? { ...one, view: { ...one.view, enabled: true }, revoked: false } : one;
}

/** Approves what awaits a decision if the request says so. */
function withMode(state: AppState, { mode, existing }: Extract<Request, { kind: 'switch' }>): AppState | null {
  if (mode === state.mode) return state;
  const { status, revision, content } = state;
  const isApproved = existing === 'approve' && mode === 'hold' && status === 'APPROVED' && isUndecided(state);
  return changed(state, { mode, ...(isApproved && { approved: { revision, content } }) }, {});
}
