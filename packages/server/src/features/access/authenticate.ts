import type { Registry } from '../../kernel/registry.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';
import { hashOfToken, isTokenText, scopesOf, type TokenKind, type TokenScope } from './access-token.ts';

/** The holder of a valid token. */
export interface TokenHolder {
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
export async function authenticate(registry: Registry, token: string): Promise<TokenHolder | null> {
  if (!isTokenText(token)) return null;
  const row = await registry.storage.gate.findToken(hashOfToken(token));
  return row && isValid(registry, row) ? holderOf(row) : null;
}

/** Whether a token is valid now. */
export function isValid({ now }: Registry, { revoked_at: revokedAt, expires_at: expiresAt }: Ends): boolean {
  return revokedAt === null && expiresAt > now();
}

export function holderOf(row: Omit<AccessTokenRow, 'name' | 'hash' | 'created_at' | 'last_used_at'>): TokenHolder {
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
