import { getAppRequest, type HttpRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import type { Database } from './databases.ts';

type Authorized = Pick<Database, 'tokens'>;

export function getApp({ tokens }: Authorized, id: string, headers: Record<string, string> = {}): HttpRequest {
  return getAppRequest(tokens.platform, id, headers);
}

/** An update of each kind of field: a text, one that must be unique and is searched, and one whose host is compared. */
const updates = {
  'a description': (number: number) => ({
    listingInfo: { shortDescription: `Keeps ledgers in step, as of release ${number}.` },
  }),
  'the name': (number: number, id: string) => ({ name: `Ledger sync ${number} of ${id}` }),
  'a callback URL': (number: number) => ({ oauthInfo: { callbackUrl: `https://ledger-${number}.example/callback` } }),
} satisfies Record<string, (number: number, id: string) => object>;
export type UpdatedField = keyof typeof updates;
export const updatedFields = Object.keys(updates) as UpdatedField[];

/** An update that changes the app, unless its number equals the previous one. */
export function updateApp(
  { tokens }: Authorized,
  id: string,
  { number, field = 'a description' }: { number: number; field?: UpdatedField },
): HttpRequest {
  return updateAppRequest(tokens.developer, { id, update: updates[field](number, id) });
}

/** Updates each app in turn, repeatedly and with other numbers, so that every update changes something. */
export function updatesOf(database: Authorized, ids: string[], field?: UpdatedField): HttpRequest[] {
  const turns = Math.max(2, Math.ceil(2_000 / ids.length));
  const turn = (number: number) => ids.map((id) => updateApp(database, id, { number, ...(field && { field }) }));
  return Array.from({ length: turns }, (_, number) => turn(number)).flat();
}
