import Type from 'typebox';
import { type Hidden, hiddenFrom, type Registry, type TokenScope } from '../../kernel/registry.ts';
import { dateTime } from '../../kernel/text.ts';
import { trustedTime } from '../../kernel/time.ts';
import type { Connection } from '../../storage/query.ts';
import {
  deleteOldSessions,
  deleteSession,
  deleteSessionsUntil,
  findAccessToken,
  findSessionByHash,
  insertSession,
} from './access-queries.ts';
import { hashOfToken, isTokenText, isValid, newTokenText, type Principal, principalOfToken } from './access-token.ts';

/** Signs a person in: an operator token, of the registry or an identity provider, or a sign-in code of a registry token. */
export const SignIn = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 16_384 }) },
  { $id: 'SignIn', additionalProperties: false },
);
export type SignIn = Type.Static<typeof SignIn>;

/** The query of the URL to which an identity provider redirects a browser (RFC 6749, 4.1.2). */
export const AuthorizationResponse = Type.Object(
  { query: Type.String({ minLength: 1, maxLength: 16_384 }) },
  { $id: 'AuthorizationResponse', additionalProperties: false },
);
export type AuthorizationResponse = Type.Static<typeof AuthorizationResponse>;

/** A session as the browser sees it: the token that it stands for, its scopes and its expiry. */
export interface Session {
  /** The actor in events: the id of a token, or the subject of an identity provider. */
  holderId: string;
  name?: string;
  scopes: TokenScope[];
  /** What responses leave out for these scopes; absent if nothing is. */
  hidden?: Hidden[];
  expiresAt: string;
}

/** What this registry calls its console. */
export interface ConsoleBrand {
  name: string;
  /** The path of the image beside the name; the one of the console if absent. */
  mark?: string;
  /** Its colour, as `#rrggbb`, with enough contrast as a ground of white text; the one of the console if absent. */
  accent?: string;
}

/** The session of a browser, if any, whether it can sign in without a token, and what it signs in to. */
export interface SignInState {
  session?: Session;
  brand: ConsoleBrand;
  /** Whether people can sign in at an identity provider. */
  identityProvider: boolean;
  /** How the command line signs people in there, where that is configured. */
  deviceSignIn?: DeviceSignIn;
}

/** What the command line requests of an identity provider to sign a person in (RFC 8628, 3.1). */
export interface DeviceSignIn {
  issuer: string;
  /** A public client. */
  clientId: string;
  scope: string;
  /** Further parameters, such as the audience of the token. */
  parameters: Record<string, string>;
}

const lifetimeMsMax = 12 * 3_600_000;
/** Of one token or person, codes included. The oldest makes room for another. */
const sessionsMax = 100;

/** A session or sign-in code, which temporarily substitutes a token. Its text is never stored. */
export interface TemporaryCredential {
  text: string;
  lifetimeMs: number;
  /** The holder's id in events. */
  holderId: string;
}

/**
 * Opens a session for a token. Its text grants what the token grants, for at most 12 hours and no longer than the token
 * is valid. Null when the token is not valid now.
 */
export function openSession(registry: Registry, tokenId: string): Promise<TemporaryCredential | null> {
  return registry.storage.write((transaction) => issueCredential(registry, transaction, { tokenId, kind: 'session' }));
}

/** The holder of a token of an identity provider, as stored with a session. */
export interface IssuedTo {
  issuer: string;
  /** The holder's id in events. */
  id: string;
  name?: string;
  scopes: readonly TokenScope[];
}

/**
 * Opens a session for the holder of an identity provider's token, for at most 12 hours and no longer than the token is
 * valid. Null when it is expired.
 */
export async function openSessionOf(
  registry: Registry,
  { issuedTo, goodUntil }: { issuedTo: IssuedTo; goodUntil: number },
): Promise<TemporaryCredential | null> {
  if (goodUntil <= registry.now()) return null;
  return registry.storage.write((transaction) =>
    insertCredential(registry, transaction, {
      kind: 'session',
      holderId: issuedTo.id,
      subject: { token_id: null, holder: JSON.stringify(issuedTo) },
      goodUntil,
    }),
  );
}

/** Creates a code that opens one session for a token within 12 hours. Null when the token is not valid now. */
export function newSignInCode(registry: Registry, tokenId: string): Promise<TemporaryCredential | null> {
  return registry.storage.write((transaction) => issueCredential(registry, transaction, { tokenId, kind: 'code' }));
}

/** Opens the session of a code. Null when the code is unknown, used or expired, or its token is not valid now. */
export async function openSessionByCode(registry: Registry, code: string): Promise<TemporaryCredential | null> {
  if (!isTokenText(code, ['code'])) return null;
  const hash = hashOfToken(code);
  return registry.storage.write(async (transaction) => {
    const found = await findSessionByHash(transaction, { hash, now: registry.now() });
    // Only one of several concurrent calls deletes it. A holder at an identity provider has no code.
    if (!found || found.holder !== null || (await deleteSession(transaction, { hash })) === 0) return null;
    return issueCredential(registry, transaction, { tokenId: found.id, kind: 'session' });
  });
}

/** A session as shown to its holder, and the holder of its token. */
export interface FoundSession {
  session: Session;
  principal: Principal;
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
  return isValid(registry, row) ? found(principalOfToken(row), { name: row.name, expiresAt, issuer: null }) : null;
}

/** Ends the session with this text, if any: its next request is refused. */
export async function endSession({ storage }: Registry, text: string): Promise<void> {
  if (!isTokenText(text, ['session'])) return;
  await storage.write((transaction) => deleteSession(transaction, { hash: hashOfToken(text) }));
}

/** Deletes expired sessions and codes. */
export async function pruneSessions(registry: Registry): Promise<void> {
  const time = await trustedTime(registry);
  await registry.storage.write((transaction) => deleteSessionsUntil(transaction, { time }));
}

async function issueCredential(
  registry: Registry,
  transaction: Connection,
  { tokenId, kind }: { tokenId: string; kind: 'session' | 'code' },
): Promise<TemporaryCredential | null> {
  const token = await findAccessToken(transaction, { id: tokenId });
  if (!token || !isValid(registry, token)) return null;
  return insertCredential(registry, transaction, {
    kind,
    holderId: tokenId,
    subject: { token_id: tokenId, holder: null },
    goodUntil: token.expires_at,
  });
}

interface NewCredential {
  kind: 'session' | 'code';
  holderId: string;
  subject: { token_id: string; holder: null } | { token_id: null; holder: string };
  goodUntil: number;
}

async function insertCredential(
  { now }: Registry,
  transaction: Connection,
  { kind, holderId, subject, goodUntil }: NewCredential,
): Promise<TemporaryCredential> {
  const text = newTokenText(kind);
  const at = now();
  await deleteOldSessions(transaction, { holderId, retained: sessionsMax - 1 });
  const expiresAt = Math.min(at + lifetimeMsMax, goodUntil);
  await insertSession(transaction, {
    hash: hashOfToken(text),
    ...subject,
    holder_id: holderId,
    created_at: at,
    expires_at: expiresAt,
  });
  return { text, lifetimeMs: expiresAt - at, holderId };
}

function ofIssuedToken({ issuer, id, name, scopes }: IssuedTo, expiresAt: number): FoundSession {
  const principal: Principal = {
    id,
    kinds: ['operator'],
    developerId: null,
    isSuspended: false,
    scopes,
    updatesPerMinute: null,
    readsPerMinute: null,
    requestsPerMinute: null,
  };
  return found(principal, { name: name ?? null, expiresAt, issuer });
}

function found(
  principal: Principal,
  { name, expiresAt, issuer }: { name: string | null; expiresAt: number; issuer: string | null },
): FoundSession {
  const session: Session = {
    holderId: principal.id,
    ...(name !== null && { name }),
    scopes: [...principal.scopes],
    ...hiddenFrom(principal.scopes),
    expiresAt: dateTime(expiresAt),
  };
  return { session, principal, issuer };
}
