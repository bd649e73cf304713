import { isDeepStrictEqual } from 'node:util';
import type { ReviewStatus } from '../../packages/server/src/features/apps/review/review-status.ts';
import type { SettingValues } from '../../packages/server/src/features/settings/settings.ts';
import { type Address, type Content, type Field, fields, type Time } from './content.ts';
import type { Installations } from './installations.ts';
import type { Revisions } from './revisions.ts';

export type Mode = SettingValues['changesToApproved'];

/** The state of one app that responses show, with the setting that decides what is shown. */
export interface AppState {
  id: string;
  mode: Mode;
  content: Content;
  revision: number;
  revisions: Revisions;
  status: ReviewStatus;
  /** Of the content and the status. */
  updatedAt: Time;
  /** Of what Get App shows of them; the same object where it is the same time. */
  shownAt: Time;
  approved: { revision: number; content: Content } | null;
  /** The approved addresses that were removed since, each with the revision that did. */
  withdrawn: Partial<Record<Address, number>>;
  /** Since when the content of an approved app awaits a decision; null when it does not. */
  changeSince: Time | null;
  /** The revision of the last decision, if that rejected a change. */
  rejectedChange: number | null;
  reason: string | null;
  /** While the developer is suspended: the first reason, the end of the request by the client's clock, the status before. */
  suspension: { reason: string; end: number; from: ReviewStatus } | null;
  installations: Installations;
  /** The `ETag` of Get App; null until a response shows it. */
  tag: string | null;
}

/** The content that Get App shows. */
export function shownContent({ mode, content, approved, withdrawn }: AppState): Content {
  if (mode === 'live' || !approved) return content;
  const removed = Object.keys(withdrawn).map((address) => [address, null]);
  return { ...approved.content, ...Object.fromEntries(removed) };
}

/** The content that a platform may honour. */
export function effectiveContent(state: AppState): Content | null {
  return state.status === 'APPROVED' ? shownContent(state) : null;
}

/** The fields that a reviewer has to decide on: they differ from what is approved, or were removed and are there again. */
export function undecidedFields({ content, approved, withdrawn }: AppState): Field[] {
  if (!approved) return [];
  const isWithdrawn = (field: Field) => field in withdrawn && approved.content[field] !== null;
  return fields.filter((field) => content[field] !== approved.content[field] || isWithdrawn(field));
}

/** Whether a change of the approved app awaits a decision. */
export function hasChange({ status, changeSince }: AppState): boolean {
  return status === 'APPROVED' && changeSince !== null;
}

export function isSame(one: Content, other: Content): boolean {
  return isDeepStrictEqual(one, other);
}

/** Equal for equal states. */
export function keyOf({ installations, revisions, ...rest }: AppState): string {
  const isOneTime = rest.updatedAt === rest.shownAt;
  return `${JSON.stringify(rest)} ${isOneTime} ${revisions.key} ${installations.key}`;
}
