import { isDeepStrictEqual } from 'node:util';
import type { DeveloperApp } from '../../packages/server/src/contract/app.ts';
import type { OperatorApp } from '../../packages/server/src/contract/operator-app.ts';
import { atTime } from './app-changes.ts';
import { type AppState, type ContentView, contentOf, effectiveContent, isSame, shownContent } from './app-state.ts';
import { digestOf } from './installations.ts';
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
      return ofRevision(state, response) && operatorState(state, response.operatorApp);
    case 'remove':
      return response.installation?.id === request.installationId ? state : null;
    case 'switch':
    case 'settings':
      return response.mode === state.mode ? state : null;
    default: {
      const known = state.installations.get(response.installation?.id ?? '')?.view;
      return isDeepStrictEqual(response.installation, known) ? state : null;
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
  const isShown =
    view?.revision === state.revision &&
    view.current.revision === state.revision &&
    isSame(contentOf(view.current), state.content) &&
    (view.approved?.revision ?? null) === (approved?.revision ?? null) &&
    isDeepStrictEqual(view.approved && contentOf(view.approved), approved?.content) &&
    isDeepStrictEqual(effectiveOf(view), effectiveContent(state)) &&
    (view.rejectionReason ?? null) === state.reason &&
    view.changedSinceApproval === (view.approved && state.revision !== approved?.revision);
  return isShown ? developerState(state, view) : null;
}

function effectiveOf({ effective }: { effective: ContentView | null }) {
  return effective && contentOf(effective);
}
