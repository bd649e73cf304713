import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccessTokenRow, Tables } from '../../packages/server/src/storage/tables.ts';
import { Refusal } from './refusal.ts';

export async function requireToken(
  db: Kysely<Tables>,
  authorization: string | undefined,
  kind: AccessTokenRow['kind'],
): Promise<AccessTokenRow> {
  const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  if (!token) throw new Refusal(401, 'Send an access token.');
  const hash = createHash('sha256').update(token).digest('hex');
  const row = await db.selectFrom('access_tokens').selectAll().where('hash', '=', hash).executeTakeFirst();
  if (!row || row.revoked_at !== null || row.expires_at <= Date.now()) throw new Refusal(401, 'The token is not good.');
  if (row.kind !== kind) throw new Refusal(403, 'This token is for something else.');
  return row;
}
