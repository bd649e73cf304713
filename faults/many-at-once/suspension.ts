import { changed } from './app-changes.ts';
import type { AppState } from './app-state.ts';
import { withCause, withoutCause } from './installations.ts';

/** The state after the suspension of the developer. A repeat changes nothing. */
export function suspended(state: AppState, { reason, end }: { reason: string; end: number }): AppState | null {
  if (state.suspension) return state;
  const suspension = { reason, end, from: state.status };
  const isRevoked = state.status === 'APPROVED';
  const next = changed(state, { suspension, ...(isRevoked && { status: 'REJECTED', reason }) }, {});
  return next && { ...next, tag: null, installations: state.installations.map(withCause('suspension')) };
}

/** The state after its end: exactly what the suspension did is undone, unless the app was decided on meanwhile. */
export function unsuspended(state: AppState): AppState | null {
  if (!state.suspension) return state;
  const isApproved = state.suspension.from === 'APPROVED';
  const next = changed(state, { suspension: null, ...(isApproved && { status: 'APPROVED', reason: null }) }, {});
  return next && { ...next, tag: null, installations: state.installations.map(withoutCause('suspension')) };
}

/** Whether an app no longer has the status that the suspension left it. */
export function isDecided({ status, suspension }: AppState): boolean {
  return suspension !== null && status !== (suspension.from === 'APPROVED' ? 'REJECTED' : suspension.from);
}
