import { dateTime } from '../../kernel/date-time.ts';
import type { Registry } from '../../kernel/registry.ts';
import { hashOfToken, isTokenText } from './access-token-text.ts';
import { holderOf, isValid, type TokenHolder } from './authenticate.ts';
import type { IssuedTo } from './open-session.ts';
import type { Session } from './session.ts';
import { findSessionByHash } from './session-queries.ts';

/** A session as shown to its holder, and the holder of its token. */
export interface FoundSession {
  session: Session;
  holder: TokenHolder;
  /** The identity provider that issued the token; null for a token of the registry. */
  issuer: string | null;
}

/** The session with this text; null when it is unknown or expired, or when its token is not valid now. */
export async function findSession(registry: Registry, text: string): Promise<FoundSession | null> {
  if (!isTokenText(text, ['session'])) return null;
  const row = await findSessionByHash(registry.storage.reader, { hash: hashOfToken(text), now: registry.now() });
  if (!row) return null;
  const { session_expires_at: expiresAt } = row;
  if (row.holder !== null) return ofIssuedToken(JSON.parse(row.holder), expiresAt);
  return isValid(registry, row) ? found(holderOf(row), { name: row.name, expiresAt, issuer: null }) : null;
}

function ofIssuedToken({ issuer, id, name, scopes }: IssuedTo, expiresAt: number): FoundSession {
  const holder: TokenHolder = {
    id,
    kinds: ['operator'],
    developerId: null,
    isSuspended: false,
    scopes,
    updatesPerMinute: null,
    readsPerMinute: null,
  };
  return found(holder, { name: name ?? null, expiresAt, issuer });
}

function found(
  holder: TokenHolder,
  { name, expiresAt, issuer }: { name: string | null; expiresAt: number; issuer: string | null },
): FoundSession {
  const session: Session = {
    holderId: holder.id,
    ...(name !== null && { name }),
    scopes: [...holder.scopes],
    expiresAt: dateTime(expiresAt),
  };
  return { session, holder, issuer };
}
