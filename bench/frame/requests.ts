import { getAppRequest, type HttpRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import type { Database } from './databases.ts';

type Authorized = Pick<Database, 'tokens'>;

export function getApp({ tokens }: Authorized, id: string, headers: Record<string, string> = {}): HttpRequest {
  return getAppRequest(tokens.platform, id, headers);
}

/** An update that changes the app, unless its number equals the previous one. */
export function updateApp({ tokens }: Authorized, id: string, number: number): HttpRequest {
  const update = { listingInfo: { shortDescription: `Keeps ledgers in step, as of release ${number}.` } };
  return updateAppRequest(tokens.developer, { id, update });
}

/** Updates each app in turn, repeatedly and with other numbers, so that every update changes something. */
export function updatesOf(database: Authorized, ids: string[]): HttpRequest[] {
  const turns = Math.max(2, Math.ceil(2_000 / ids.length));
  return Array.from({ length: turns }, (_, turn) => ids.map((id) => updateApp(database, id, turn))).flat();
}
