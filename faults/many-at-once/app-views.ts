import { isDeepStrictEqual } from 'node:util';
import { approvedContent, effectiveContent as shownEffective } from '../../packages/client/src/operator/index.ts';
import type { DeveloperApp, OperatorApp } from '../../packages/server/src/features/apps/app-schemas.ts';
import { atTime } from './app-changes.ts';
import { type AppState, effectiveContent, isSame, shownContent, undecidedFields } from './app-state.ts';
import { type Content, contentOf, fields, type Time } from './content.ts';
import { digestOf, operatorViewOf } from './installations.ts';
import type { AppRequest, AppResponse, RegistryRequest } from './operations.ts';

/**
 * The state, with what the response has shown of it for the first time. Null if the response shows another state, in its
 * content, revisions, times, installations or installation count.
 */
export function observed(
  state: AppState,
  request: AppRequest | RegistryRequest,
  response: AppResponse,
): AppState | null {
  switch (request.kind) {
    case 'update':
    case 'read':
      return ofRevision(state, response) && developerState(state, response.developerApp);
    case 'get':
      return platformState(state, response);
    case 'show':
    case 'review':
    case 'revert':
      return ofRevision(state, response) && operatorState(state, response.operatorApp);
    case 'remove':
      return response.installation?.id === request.installationId ? state : null;
    case 'switch':
    case 'settings':
      return response.mode === state.mode ? state : null;
    case 'queue':
      return queuedState(state, response);
    case 'suspend':
      return response.suspended?.suspensionReason === state.suspension?.reason ? state : null;
    case 'unsuspend':
      return response.unsuspended?.suspendedAt === undefined ? state : null;
    default: {
      const known = state.installations.get(response.installation?.id ?? '');
      return known && isDeepStrictEqual(response.installation, operatorViewOf(known)) ? state : null;
    }
  }
}

function ofRevision(state: AppState, { revision }: AppResponse): AppState | null {
  return revision === state.revision ? state : null;
}

function developerState(state: AppState, view: DeveloperApp | undefined): AppState | null {
  const isShown =
    view?.installationCount === state.installations.size &&
    view.reviewStatus === state.status &&
    isSame(contentOf(view), state.content);
  return isShown ? atTime(state, 'updatedAt', view.updatedAt) : null;
}

function platformState(state: AppState, { platformApp: view, platformTag: tag = '' }: AppResponse): AppState | null {
  const isShown =
    view?.name === shownContent(state).name &&
    view.reviewStatus === state.status &&
    digestOf(view.installations) === state.installations.shown &&
    (state.tag === null || state.tag === tag);
  const next = isShown ? atTime(state, 'shownAt', view.updatedAt) : null;
  return next && { ...next, tag };
}

function operatorState(state: AppState, view: OperatorApp | undefined): AppState | null {
  const { approved } = state;
  const shown = view && approvedContent(view);
  const isShown =
    view?.revision === state.revision &&
    isSame(contentOf(view), state.content) &&
    (shown?.revision ?? null) === (approved?.revision ?? null) &&
    isDeepStrictEqual(shown && contentOf(shown), approved?.content) &&
    isDeepStrictEqual(effectiveIn(view), effectiveContent(state)) &&
    (view.rejectionReason ?? null) === state.reason &&
    view.suspendedStatus === state.suspension?.from &&
    view.changedSinceApproval === (approved ? state.revision !== approved.revision : undefined);
  return isShown ? developerState(state, view) : null;
}

/** The state of an app in the review queue, or of one that is not there. */
function queuedState(state: AppState, { queue = [] }: AppResponse): AppState | null {
  const item = queue.find(({ app }) => app.id === state.id);
  const since = waitingSince(state);
  if (!item || !since) return !item && !since ? state : null;
  const { revision, approved, status } = state;
  const isShown =
    item.kind === (status === 'APPROVED' ? 'change' : 'submission') &&
    item.app.revision === revision &&
    (since.isKnown ? item.waitingSince === since.value : item.waitingSince >= since.value) &&
    isDeepStrictEqual(
      fields.filter((field) => item.fields.includes(field)),
      approved ? undecidedFields(state) : fields.filter((field) => state.content[field] !== null),
    );
  return isShown ? operatorState(state, item.app) : null;
}

/** Since when the app is in the review queue; null when it is not. */
function waitingSince({ status, updatedAt, changeSince, suspension }: AppState): Time | null {
  if (suspension) return null;
  return status === 'AWAITING_REVIEW' ? updatedAt : changeSince;
}

/** The effective content in a response. */
export function effectiveIn(view: OperatorApp): Content | null {
  const effective = shownEffective(view);
  return effective && contentOf(effective);
}
