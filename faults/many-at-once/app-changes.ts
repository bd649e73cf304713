import { isDeepStrictEqual } from 'node:util';
import { type AppState, isSame, shownContent, undecidedFields } from './app-state.ts';
import { type Address, addresses, type Time } from './content.ts';

/** What an operation changes; everything else follows from it. */
type Given = Partial<
  Pick<
    AppState,
    'mode' | 'content' | 'status' | 'approved' | 'reason' | 'changeSince' | 'rejectedChange' | 'suspension'
  >
>;

interface Circumstances {
  /** The `updatedAt` in the response; absent when it shows none. */
  at?: string | undefined;
  isRevert?: boolean;
}

/** The state after a change. Null if its time is before an earlier one. */
export function changed(before: AppState, given: Given, { at, isRevert = false }: Circumstances): AppState | null {
  const after = { ...before, ...given };
  const isEdited = !isSame(before.content, after.content);
  if (isEdited || isRestored(before, isRevert)) after.revision = before.revision + 1;
  after.withdrawn = withdrawnAfter(before, after, isRevert);
  // A new revision with the approved content, all of it in effect, is approved.
  if (after.revision > before.revision && after.approved && undecidedFields(after).length === 0) {
    after.approved = { ...after.approved, revision: after.revision };
    after.withdrawn = {};
  }

  const isMoved = after.status !== before.status;
  const isShown = isMoved || !isSame(shownContent(before), shownContent(after));
  const earliest = latestOf(before);
  if (isEdited || isMoved) after.updatedAt = at === undefined ? { value: earliest, isKnown: false } : known(at);
  if (isShown) after.shownAt = isEdited || isMoved ? after.updatedAt : { value: earliest, isKnown: false };
  if (isShown || after.mode !== before.mode) after.tag = null;
  if (after.updatedAt !== before.updatedAt && after.updatedAt.value < earliest) return null;

  const madeAt = isEdited ? after.updatedAt : { value: earliest, isKnown: false };
  if (after.revision > before.revision) {
    after.revisions = before.revisions.with({ content: after.content, at: madeAt });
  }
  if (!isLive(after) || undecidedFields(after).length === 0) after.changeSince = null;
  else if (isEdited) after.changeSince = before.changeSince ?? madeAt;
  // A rejected change has effect once changes are live, and awaits a decision again.
  else if (before.mode === 'hold' && after.mode === 'live' && after.changeSince === null) {
    after.changeSince = { value: earliest, isKnown: false };
  }
  return after;
}

/** Whether the app has content to decide on, also while its developer is suspended. */
export function isLive({ status, suspension }: AppState): boolean {
  return status === 'APPROVED' || suspension?.from === 'APPROVED';
}

/** Whether bringing back the current content makes an address effective that was removed, and is there again. */
export function isRestored(state: AppState, isRevert: boolean): boolean {
  return isRevert && !isDeepStrictEqual(withdrawnAfter(state, state, true), state.withdrawn);
}

/** The state once a response has shown a time; null if it is not that time. */
export function atTime(state: AppState, name: 'updatedAt' | 'shownAt', value: string): AppState | null {
  const time = state[name];
  if (time.isKnown) return time.value === value ? state : null;
  if (value < time.value) return null;
  const shown = known(value);
  const { updatedAt, shownAt } = state;
  return {
    ...state,
    updatedAt: updatedAt === time ? shown : updatedAt,
    shownAt: shownAt === time ? shown : shownAt,
  };
}

/** A removed address has no effect until a later approval, or until the approved one is brought back. */
function withdrawnAfter(before: AppState, after: AppState, isRevert: boolean): AppState['withdrawn'] {
  const withdrawn: [Address, number][] = [];
  for (const address of addresses) {
    const isRemoved = before.content[address] !== null && after.content[address] === null;
    const removedBy = isRemoved ? after.revision : before.withdrawn[address];
    const value = after.content[address];
    const isBack = isRevert && value !== null && value === after.approved?.content[address];
    const isApproved = after.approved !== before.approved && (after.approved?.revision ?? 0) >= (removedBy ?? 0);
    if (removedBy !== undefined && after.approved && !isBack && !isApproved) withdrawn.push([address, removedBy]);
  }
  return Object.fromEntries(withdrawn);
}

function latestOf({ updatedAt, shownAt }: AppState): string {
  return updatedAt.value > shownAt.value ? updatedAt.value : shownAt.value;
}

export function known(value: string): Time {
  return { value, isKnown: true };
}
