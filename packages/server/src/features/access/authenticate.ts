import type { Registry, TokenKind, TokenScope } from '../../kernel/registry.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';
import { findSoonestExpiry, updateLastUsedAt } from './access-queries.ts';
import { hashOfToken, isTokenText, scopesOf } from './access-token.ts';

/** The holder of a valid token. */
export interface Principal {
  /** The holder's id in events and limits: the id of an access token, or the identity provider's id for the holder. */
  id: string;
  /** What the token grants. A token of the registry has one kind; one of an identity provider may have any number. */
  kinds: readonly TokenKind[];
  /** Only of a holder of kind `developer`. */
  developerId: string | null;
  /** Whether that developer is suspended: then the holder may do nothing as a developer. */
  isSuspended: boolean;
  /** Only of a holder of kind `operator`. */
  scopes: readonly TokenScope[];
  /** Limits of this token; null where the default applies. */
  updatesPerMinute: number | null;
  readsPerMinute: number | null;
}

/** The holder of a token; null when it is malformed, unknown, expired or revoked. */
export async function authenticate(registry: Registry, token: string): Promise<Principal | null> {
  if (!isTokenText(token)) return null;
  const row = await registry.storage.requestLookups.findToken(hashOfToken(token));
  return row && isValid(registry, row) ? principalOfToken(row) : null;
}

/** Whether a token is valid now. */
export function isValid({ now }: Registry, { revoked_at: revokedAt, expires_at: expiresAt }: Ends): boolean {
  return revokedAt === null && expiresAt > now();
}

export function principalOfToken(
  row: Omit<AccessTokenRow, 'name' | 'hash' | 'created_at' | 'last_used_at'>,
): Principal {
  return {
    id: row.id,
    kinds: [row.kind],
    developerId: row.developer_id,
    isSuspended: row.suspended === 1,
    scopes: scopesOf(row),
    updatesPerMinute: row.updates_per_minute,
    readsPerMinute: row.reads_per_minute,
  };
}

type Ends = Pick<AccessTokenRow, 'revoked_at' | 'expires_at'>;

const dayMs = 86_400_000;
/** A token used within this time counts as in use. */
const usedWithinMs = 7 * dayMs;
/** Tokens issued for less are meant to expire. */
const lifetimeMsMin = 14 * dayMs;
const newest = 1_000;

/**
 * Records the hour of last use of these tokens, given as its start by token id. A later recorded hour stays, unless
 * it is in the future: a clock that was ahead has recorded it. Unknown ids are ignored.
 */
export async function recordTokenUses({ storage, now }: Registry, hours: ReadonlyMap<string, number>): Promise<void> {
  if (hours.size === 0) return;
  const byHour = Map.groupBy(hours, ([, hour]) => hour);
  await storage.write(async (transaction) => {
    for (const [hour, uses] of byHour) {
      await updateLastUsedAt(transaction, { ids: uses.map(([id]) => id), hour, now: now() });
    }
  });
}

/**
 * For each kind, the earliest expiry of its tokens in use, in milliseconds since 1970. A token is in use when it is not
 * revoked, was used within a week, and was issued for at least two weeks. Considers the newest 1,000 tokens of a kind,
 * and omits a kind without such a token. Developers replace their own tokens: among many, one always expires soon.
 */
export async function soonestExpiries({ storage, now }: Registry): Promise<Record<string, number>> {
  const at = now();
  const soonest: Record<string, number> = {};
  for (const kind of ['platform', 'operator'] as const) {
    const row = await findSoonestExpiry(storage.reader, {
      kind,
      now: at,
      usedSince: at - usedWithinMs,
      lifetimeMsMin,
      newest,
    });
    if (row?.expires_at) soonest[kind] = row.expires_at;
  }
  return soonest;
}
