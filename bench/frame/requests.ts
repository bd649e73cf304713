import type { Ask } from '../load/http-request.ts';
import type { Database } from './databases.ts';

type Of = Pick<Database, 'tokens'>;

export function getApp({ tokens }: Of, id: string, headers: Record<string, string> = {}): Ask {
  return { method: 'GET', path: `/platform/apps/v1/${id}`, token: tokens.platform, headers };
}

/** An update that changes something, unless it is the same number as the one before. */
export function updateApp({ tokens }: Of, id: string, number: number): Ask {
  const body = JSON.stringify({ listingInfo: { shortDescription: `Keeps ledgers in step, as of release ${number}.` } });
  return { method: 'PATCH', path: `/developer/apps/v1/${id}`, token: tokens.developer, body };
}

/** Each app in turn, and then again with other numbers, so that no update finds what it would store. */
export function updatesOf(database: Of, ids: string[]): Ask[] {
  const turns = Math.max(2, Math.ceil(2_000 / ids.length));
  return Array.from({ length: turns }, (_, turn) => ids.map((id) => updateApp(database, id, turn))).flat();
}
