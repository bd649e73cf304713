import type { Installation } from '../../packages/server/src/features/installations/installation.ts';
import { changed, isRestored } from './app-changes.ts';
import { refusalOfReview, reviewed } from './app-review.ts';
import { type AppState, isSame, keyOf, undecidedFields } from './app-state.ts';
import { observed } from './app-views.ts';
import { type Content, contentOf } from './content.ts';
import { type InstalledApp, withCause, withoutCause } from './installations.ts';
import type { Model } from './linearizability.ts';
import type { AppRequest, AppResponse, Operation, RegistryRequest } from './operations.ts';
import { isDecided, suspended, unsuspended } from './suspension.ts';

type Request = AppRequest | RegistryRequest;

/** The sequential model of one app and its responses, as docs/interface.md describes them. */
export function appModel(initial: AppState): Model<AppState, Operation> {
  return { initial, apply, key: keyOf };
}

function apply(state: AppState, operation: Operation): AppState | null {
  const { request, response } = operation;
  // Overload, or a lock timeout: nothing was changed.
  if (response.refusal === 'unavailable') return state;
  const refusal = refusalOf(state, operation);
  if (refusal !== null || response.refusal !== undefined) return refusal === response.refusal ? state : null;
  if (request.kind === 'unsuspend' && !areSkipped(state, response)) return null;
  const next = nextOf(state, operation);
  return next && observed(next, request, response);
}

function refusalOf(state: AppState, operation: Operation): string | null {
  const { request } = operation;
  switch (request.kind) {
    case 'read':
      return isTokenRefused(state, operation) ? 'developer_suspended' : null;
    case 'update':
      if (state.suspension) return 'developer_suspended';
      if (isStale(state, request)) return 'precondition_failed';
      return state.status === 'AWAITING_REVIEW' && isChange(state, request) ? 'app_under_review' : null;
    case 'install':
      if (state.suspension) return 'developer_suspended';
      if (!request.byOwner && state.status !== 'APPROVED') return 'app_not_approved';
      return state.installations.isIn(request.workspaceId) ? 'already_exists' : null;
    case 'remove':
    case 'enable':
    case 'disable':
      return refusalOfInstalled(state, request.kind, state.installations.get(request.installationId));
    case 'review':
      return refusalOfReview(state, request);
    case 'revert':
      return refusalOfRevert(state, request);
    default:
      return null;
  }
}

function refusalOfInstalled(
  { status, suspension }: AppState,
  kind: string,
  installed: InstalledApp | undefined,
): string | null {
  if (!installed) return 'installation_not_found';
  if (kind !== 'enable' || installed.causes.length === 0) return null;
  if (suspension) return 'developer_suspended';
  const isInstallable = status === 'APPROVED' || installed.byOwner;
  return isInstallable && installed.causes.includes('workspace') ? null : 'app_not_approved';
}

/** A token is refused from the next request on: what begins during the suspension may still read. */
function isTokenRefused({ suspension }: AppState, { begin, response }: Operation): boolean {
  return suspension !== null && (begin > suspension.end || response.refusal !== undefined);
}

/** Whether the end of the suspension lists the app exactly if it was decided on meanwhile. */
function areSkipped(state: AppState, { unsuspended }: AppResponse): boolean {
  return unsuspended?.skipped.some(({ appId }) => appId === state.id) === isDecided(state);
}

function refusalOfRevert(state: AppState, request: Extract<Request, { kind: 'revert' }>): string | null {
  if (request.to.toApproved && !state.approved) return 'app_not_approved';
  if (isStale(state, request)) return 'precondition_failed';
  const isWithoutEffect = contentsOf(state, request).some((content) => isSame(content, state.content));
  if (isWithoutEffect && !isRestored(state, true)) return null;
  return state.status === 'AWAITING_REVIEW' ? 'app_under_review' : null;
}

/** What a revert may bring back: several contents where they are of one moment. */
function contentsOf({ approved, revisions }: AppState, { to }: Extract<Request, { kind: 'revert' }>): Content[] {
  if (to.toTime !== undefined) return revisions.contentsAt(to.toTime);
  const content = to.toRevision === undefined ? approved?.content : revisions.get(to.toRevision)?.content;
  return content ? [content] : [];
}

function isStale({ revision }: AppState, { ifRevision }: { ifRevision?: number }): boolean {
  return ifRevision !== undefined && ifRevision !== revision;
}

function isChange({ content }: AppState, { given }: Extract<Request, { kind: 'update' }>): boolean {
  return !isSame(content, { ...content, ...given });
}

/** Takes times and ids from the response. */
function nextOf(state: AppState, { request, response, end }: Operation): AppState | null {
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
      return reviewed(state, request, response.operatorApp?.updatedAt);
    case 'revert':
      return reverted(state, request, response);
    case 'switch':
      return withMode(state, request);
    case 'suspend':
      return suspended(state, { reason: request.reason, end });
    case 'unsuspend':
      return unsuspended(state);
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
  const installations = state.installations.with({ view: installation, causes: [], byOwner });
  return { ...state, installations, tag: null };
}

function uninstalled(state: AppState, id: string): AppState {
  return { ...state, installations: state.installations.without(id), tag: null };
}

function switched(state: AppState, id: string, enabled: boolean): AppState {
  const one = state.installations.get(id) as InstalledApp;
  const after = (enabled ? withoutCause : withCause)('workspace')(one);
  return { ...state, installations: state.installations.with(after), tag: null };
}

function reverted(
  state: AppState,
  request: Extract<Request, { kind: 'revert' }>,
  { operatorApp }: AppResponse,
): AppState | null {
  const content = contentsOf(state, request).find((one) => operatorApp && isSame(contentOf(operatorApp), one));
  return content ? changed(state, { content }, { at: operatorApp?.updatedAt, isRevert: true }) : null;
}

/** Approves what awaits a decision if the request says so. */
function withMode(state: AppState, { mode, existing }: Extract<Request, { kind: 'switch' }>): AppState | null {
  if (mode === state.mode) return state;
  const { status, revision, content } = state;
  const isApproved =
    existing === 'approve' && mode === 'hold' && status === 'APPROVED' && undecidedFields(state).length > 0;
  return changed(state, { mode, ...(isApproved && { approved: { revision, content } }) }, {});
}
