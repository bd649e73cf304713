import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccessTokenRow, Tables } from '../../packages/server/src/storage/tables.ts';
import { HttpError } from './http-error.ts';

export async function requireToken(
  db: Kysely<Tables>,
  authorization: string | undefined,
  kind: AccessTokenRow['kind'],
): Promise<AccessTokenRow> {
  const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  if (!token) throw new HttpError(401, 'Send an access token.');
  const hash = createHash('sha256').update(token).digest('hex');
  const row = await db.selectFrom('access_tokens').selectAll().where('hash', '=', hash).executeTakeFirst();
  if (!row || row.revoked_at !== null || row.expires_at <= Date.now())
    throw new HttpError(401, 'The token is invalid.');
  if (row.kind !== kind) throw new HttpError(403, 'The token is of another kind.');
  return row;
}
