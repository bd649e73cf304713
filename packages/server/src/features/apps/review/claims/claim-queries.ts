import { change, find, insert } from '../../../../storage/query.ts';
import type { Reader } from '../../../../storage/statement.ts';
import { columns, type ReviewClaimRow } from '../../../../storage/tables.ts';

export const findClaim = find((db, { appId }: { appId: string }) =>
  db.selectFrom('review_claims').select(columns.review_claims).where('app_id', '=', appId),
);

/** The claims on these apps. */
export async function listClaims(reader: Reader, appIds: string[]): Promise<ReviewClaimRow[]> {
  const query = reader.builder.selectFrom('review_claims').select(columns.review_claims).where('app_id', 'in', appIds);
  return appIds.length === 0 ? [] : reader.rows(query.compile());
}

export const insertClaim = insert('review_claims');

export const deleteClaim = change((db, { appId }: { appId: string }) =>
  db.deleteFrom('review_claims').where('app_id', '=', appId),
);

/** Deletes the claims that expired at or before a time. */
export const deleteClaimsUntil = change((db, { time }: { time: number }) =>
  db.deleteFrom('review_claims').where('expires_at', '<=', time),
);
