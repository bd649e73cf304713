import type { TokenScope } from '../../contract/access-token.ts';
import { findAccessToken } from '../../storage/queries/access-tokens.ts';
import { deleteSession, findSessionByHash, insertSession } from '../../storage/queries/sessions.ts';
import type { Connection } from '../../storage/query.ts';
import type { Registry } from '../registry.ts';
import { hashOfToken, isTokenText, newTokenText } from '../tokens/access-token-text.ts';
import { isGood } from '../tokens/authenticate.ts';

const lifeMsMax = 12 * 3_600_000;

/** What stands for a token for a while. Its text is in this answer, and stored nowhere. */
export interface StandIn {
  text: string;
  lifeMs: number;
  /** As events name who has it. */
  holderId: string;
}

/**
 * Opens a session for a token: whoever has its text may do what the token may, for 12 hours at most, and no longer
 * than the token is good. Null when the token is not good now.
 */
export function openSession(registry: Registry, tokenId: string): Promise<StandIn | null> {
  return registry.storage.write((transaction) => standFor(registry, transaction, { tokenId, as: 'session' }));
}

/** Whom an identity provider has issued a token to, as a session keeps it. */
export interface IssuedTo {
  issuer: string;
  /** As events name the holder. */
  id: string;
  name?: string;
  scopes: readonly TokenScope[];
}

/**
 * Opens a session for the holder of an identity provider's token: for 12 hours at most, and no longer than the token
 * is good. Null when that is over already.
 */
export async function openSessionOf(
  registry: Registry,
  { issuedTo, goodUntil }: { issuedTo: IssuedTo; goodUntil: number },
): Promise<StandIn | null> {
  if (goodUntil <= registry.now()) return null;
  return registry.storage.write((transaction) =>
    insertStandIn(registry, transaction, {
      as: 'session',
      holderId: issuedTo.id,
      for: { token_id: null, holder: JSON.stringify(issuedTo) },
      goodUntil,
    }),
  );
}

/** Makes a code that opens one session for a token, within 12 hours. Null when the token is not good now. */
export function newSignInCode(registry: Registry, tokenId: string): Promise<StandIn | null> {
  return registry.storage.write((transaction) => standFor(registry, transaction, { tokenId, as: 'code' }));
}

/** Opens the session of a code. Null when the code is unknown, used or expired, or its token not good now. */
export async function openSessionByCode(registry: Registry, code: string): Promise<StandIn | null> {
  if (!isTokenText(code, ['code'])) return null;
  const hash = hashOfToken(code);
  return registry.storage.write(async (transaction) => {
    const found = await findSessionByHash(transaction, { hash, now: registry.now() });
    // Of two at once, one deletes it. Whom an identity provider knows is given no code.
    if (!found || found.holder !== null || (await deleteSession(transaction, { hash })) === 0) return null;
    return standFor(registry, transaction, { tokenId: found.id, as: 'session' });
  });
}

async function standFor(
  registry: Registry,
  transaction: Connection,
  { tokenId, as }: { tokenId: string; as: 'session' | 'code' },
): Promise<StandIn | null> {
  const token = await findAccessToken(transaction, { id: tokenId });
  if (!token || !isGood(registry, token)) return null;
  return insertStandIn(registry, transaction, {
    as,
    holderId: tokenId,
    for: { token_id: tokenId, holder: null },
    goodUntil: token.expires_at,
  });
}

interface NewStandIn {
  as: 'session' | 'code';
  holderId: string;
  for: { token_id: string; holder: null } | { token_id: null; holder: string };
  goodUntil: number;
}

async function insertStandIn(
  { now }: Registry,
  transaction: Connection,
  { as, holderId, for: standsFor, goodUntil }: NewStandIn,
): Promise<StandIn> {
  const text = newTokenText(as);
  const at = now();
  const expiresAt = Math.min(at + lifeMsMax, goodUntil);
  await insertSession(transaction, { hash: hashOfToken(text), ...standsFor, created_at: at, expires_at: expiresAt });
  return { text, lifeMs: expiresAt - at, holderId };
}
