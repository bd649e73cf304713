import type { TokenKind, TokenScope } from '../../contract/access-token.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';
import type { Registry } from '../registry.ts';
import { hashOfToken, isTokenText } from './access-token-text.ts';
import { scopesOf } from './access-token-view.ts';

/** Who holds a token that is good now. */
export interface TokenHolder {
  /** Names the holder in events and limits: the id of an access token, or what an identity provider calls it. */
  id: string;
  /** What the token is for. One of ours is for one thing; that of an identity provider can be for several, or none. */
  kinds: readonly TokenKind[];
  /** Of a holder of kind `developer`. */
  developerId: string | null;
  /** Of a holder of kind `operator`. */
  scopes: readonly TokenScope[];
  /** Limits of this token alone; null where the common one holds. */
  updatesPerMinute: number | null;
  readsPerMinute: number | null;
}

const knownMax = 1_000;
/**
 * The hashes of tokens that were good lately, by their texts, which so stay in memory for a while and go nowhere else.
 * To check and hash a text each time takes a twelfth of the time of a 304.
 */
const known = new Map<string, string>();

/** The holder of a token; null when it is malformed, unknown, expired or revoked. */
export async function authenticate(registry: Registry, token: string): Promise<TokenHolder | null> {
  const knownHash = known.get(token);
  if (knownHash === undefined && !isTokenText(token)) return null;
  const hash = knownHash ?? hashOfToken(token);
  const row = await registry.storage.gate.findToken(hash);
  if (!row || !isGood(registry, row)) {
    known.delete(token);
    return null;
  }
  if (knownHash === undefined) remember(token, hash);
  return holderOf(row);
}

function remember(token: string, hash: string): void {
  if (known.size === knownMax) known.clear();
  known.set(token, hash);
}

/** Whether a token can be used now. */
export function isGood({ now }: Registry, { revoked_at: revokedAt, expires_at: expiresAt }: Ends): boolean {
  return revokedAt === null && expiresAt > now();
}

export function holderOf(row: Omit<AccessTokenRow, 'name' | 'hash' | 'created_at' | 'last_used_at'>): TokenHolder {
  return {
    id: row.id,
    kinds: [row.kind],
    developerId: row.developer_id,
    scopes: scopesOf(row),
    updatesPerMinute: row.updates_per_minute,
    readsPerMinute: row.reads_per_minute,
  };
}

type Ends = Pick<AccessTokenRow, 'revoked_at' | 'expires_at'>;
