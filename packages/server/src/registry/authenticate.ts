import type { TokenKind } from '../contract/access-token.ts';
import { findAccessTokenByHash } from '../storage/access-tokens.ts';
import { hashOfToken, isTokenText } from './access-token-text.ts';
import type { Registry } from './registry.ts';

/** Who holds a token that is good now. */
export interface TokenHolder {
  tokenId: string;
  kind: TokenKind;
  developerId: string | null;
  /** Limits of this token alone; null where the common one holds. */
  updatesPerMinute: number | null;
  readsPerMinute: number | null;
}

/** The holder of a token; null when it is malformed, unknown, expired or revoked. */
export async function authenticate(registry: Registry, token: string): Promise<TokenHolder | null> {
  if (!isTokenText(token)) return null;
  const row = await findAccessTokenByHash(registry.storage.reader, { hash: hashOfToken(token) });
  if (!row || row.revoked_at !== null || row.expires_at <= registry.now()) return null;
  return {
    tokenId: row.id,
    kind: row.kind,
    developerId: row.developer_id,
    updatesPerMinute: row.updates_per_minute,
    readsPerMinute: row.reads_per_minute,
  };
}
