import Type from 'typebox';
import { requirePlatformId, throwIfInvalid } from '../../kernel/check.ts';
import { DryRunQuery, orDryRun } from '../../kernel/dry-run.ts';
import { developerNotFound, Failure } from '../../kernel/failure.ts';
import { type ResultCodec, withoutColumns, write } from '../../kernel/idempotency.ts';
import { isTypeId, newId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { listTotal, readPage, sortingOf, totalPageOf } from '../../kernel/page.ts';
import { openString, type ValidationError } from '../../kernel/problem-details.ts';
import {
  type Hidden,
  hiddenFrom,
  hideable,
  type Registry,
  type TokenScope,
  tokenScopes,
} from '../../kernel/registry.ts';
import { requireUnchanged } from '../../kernel/revision.ts';
import { dateTime } from '../../kernel/text.ts';
import type { Connection } from '../../storage/query.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';
import { requireDeveloperId } from '../developers/change-developer.ts';
import { findDeveloper } from '../developers/developer-queries.ts';
import { findDeveloperDuring } from '../developers/suspended-developer.ts';
import { appendEvent, appendEvents, type ChangeContext } from '../events/append-event.ts';
import {
  type AccessTokenFilter,
  findAccessToken,
  findAccessTokenForUpdate,
  insertAccessToken,
  listAccessTokenPage,
  listUnrevokedTokens,
  someAccessTokenIds,
  updateReplaced,
  updateRevokedAt,
} from './access-queries.ts';
import {
  type AccessToken,
  AccessTokenQuery,
  AccessTokenWithSecret,
  accessTokenTag,
  accessTokenView,
  hashOfToken,
  isValid,
  ListedAccessToken,
  NewAccessToken,
  newTokenText,
  overlapSeconds,
  RevokedTokens,
  RotatedAccessToken,
  TokenRotation,
  tokenLifetimeSeconds,
  tokenNotFound,
} from './access-token.ts';
import { namesOfActors } from './actor-names.ts';
import { listTokenChanges } from './list-token-changes.ts';

const path = '/operator/v1/tokens';

const orders = { id: ['id'], expiresAt: ['expires_at', 'id'] } as const;

export const listTokens = operation({
  id: 'listTokens',
  method: 'GET',
  path,
  summary: 'List tokens',
  scope: 'admin',
  query: AccessTokenQuery,
  response: totalPageOf(ListedAccessToken, 'ListedAccessToken'),
  command: {
    name: 'token list',
    description: 'List access tokens with their status: active, expired or revoked. Secrets are not shown.',
    options: {
      developerId: '--developer <id> only tokens of this developer, by user id',
      kind: '<kind> only tokens of this kind',
    },
    columns: ['id', 'kind', 'status', 'expiresAt', 'lastUsedAt', 'name', 'scopes'],
    examples: ['app-registry token list --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
  },
  async run({ registry, query: { withTotal, ...given } }) {
    const filter = readFilter(registry, given);
    const now = registry.now();
    const sorting = sortingOf(given, orders, 'id');
    const page = await readPage(given, {
      name: 'tokens',
      byDefault: 'id',
      filters: { developerId: filter.developer_id },
      read: (request) => listAccessTokenPage(registry.storage.reader, filter, { ...request, sorting }),
      view: (row) => listedAccessToken(row, now),
    });
    if (!withTotal) return page;
    const ids = (limit: number) => someAccessTokenIds(filter, sorting, limit);
    const isFiltered = Object.keys(filter).length > 0 || sorting.from !== undefined || sorting.until !== undefined;
    return { ...page, ...(await listTotal(registry, { table: 'access_tokens', isFiltered, ids })) };
  },
});

/** Creates a token, whose text is only in this result. */
export const createToken = operation({
  id: 'createToken',
  method: 'POST',
  path,
  summary: 'Create a token',
  description:
    'The token is only in this response. A retry with the same `Idempotency-Key` receives 409 with the id of the token.',
  scope: 'admin',
  body: NewAccessToken,
  creates: true,
  response: AccessTokenWithSecret,
  returnsSecret: true,
  refusals: ['developer_not_found', 'token_created'],
  command: {
    name: 'token create',
    description: 'Create an access token. The token is printed once and never stored.',
    options: {
      kind: '<kind> the kind of token',
      developerId: '--developer <id> the user id of the developer, for a token of kind developer',
      scopes: '--scope <scopes...> the scopes of a token of kind operator; give several or repeat the option',
      expiresIn: `<time> the lifetime, at most ${inDays(tokenLifetimeSeconds.max)} (default: ${inDays(tokenLifetimeSeconds.default)})`,
      name: '<name> a name to identify it',
      updatesPerMinute: '<count> its update limit, 0 for none (default: as configured)',
      readsPerMinute: '<count> its read limit, 0 for none (default: as configured)',
      requestsPerMinute: '<count> its limit of requests to the operator API, 0 for none (default: as configured)',
    },
    converts: { expiresIn: 'duration' },
    notes: `Scopes; all but install include read:\n${scopeLines()}`,
    examples: [
      'app-registry token create --kind platform --expires-in 30d --name "storefront"',
      'app-registry token create --kind operator --scope review --name "Grace, reviewer"',
      'app-registry token create --kind operator --scope portal --scope review',
      'app-registry token create --kind developer --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c',
    ],
  },
  async run({ registry, caller, body: given }) {
    throwIfInvalid(kindErrors(given));
    const { developerId: text } = given;
    const developerId = text === undefined ? null : requirePlatformId(text, registry.userIdPrefix, '/developerId');

    const token = newTokenText(given.kind);
    const at = registry.now();
    const row: AccessTokenRow = {
      id: newId('token'),
      kind: given.kind,
      developer_id: developerId,
      name: given.name ?? null,
      hash: hashOfToken(token),
      created_at: at,
      expires_at: at + 1_000 * (given.expiresIn ?? tokenLifetimeSeconds.default),
      revoked_at: null,
      scopes: given.scopes?.join(' ') ?? null,
      updates_per_minute: given.updatesPerMinute ?? null,
      reads_per_minute: given.readsPerMinute ?? null,
      requests_per_minute: given.requestsPerMinute ?? null,
      replaced_by: null,
      replaced_at: null,
      last_used_at: null,
      suspended: 0,
    };
    const create = async (transaction: Connection) => {
      const developer = developerId === null ? null : await findDeveloperDuring(transaction, developerId);
      if (developerId !== null && !developer) throw developerNotFound(developerId);
      const suspended: 0 | 1 = developer !== null && developer.suspended_at !== null ? 1 : 0;
      await insertAccessToken(transaction, { ...row, suspended });
      const view = accessTokenView(row);
      await appendEvent(transaction, { caller, at, type: 'token.created', subjectId: view.id, after: eventData(view) });
      return { id: view.id, suspended };
    };
    const { suspended } = await write(registry, caller, create, { refuseRetry: shownOnce });
    return { ...listedAccessToken({ ...row, suspended }, at), token };
  },
});

export const getToken = operation({
  id: 'getToken',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get a token, without its secret',
  scope: 'admin',
  response: ListedAccessToken,
  refusals: ['token_not_found'],
  command: {
    name: 'token get',
    description: 'Show an access token and its status: active, expired or revoked. Its secret is not shown.',
    arguments: { id: 'the token id' },
    examples: ['app-registry token get token_01jq3w4m2je6vs9a1w7p3n0d5e'],
  },
  async run({ registry, params: { id } }) {
    const token = isTypeId(id, 'token') ? await findAccessToken(registry.storage.reader, { id }) : null;
    if (!token) throw tokenNotFound(id);
    return listedAccessToken(token, registry.now());
  },
});

/**
 * The new token lives as long as the old one was meant to. The old one ends at a time rather than at its first use after
 * that of the new one, so that its owner can replace it in several places. It can be rotated once: the chain has no forks.
 */
export const rotateToken = operation({
  id: 'rotateToken',
  method: 'POST',
  path: `${path}/:id/rotate`,
  summary: 'Rotate a token',
  description:
    'Creates a token of the same kind, developer, name, scopes, limits and lifetime. The old one stays valid for `overlap`. The new token is only in this response. A retry with the same `Idempotency-Key` receives 409 with the id of the new token.',
  scope: 'admin',
  body: TokenRotation,
  isBodyOptional: true,
  response: RotatedAccessToken,
  returnsSecret: true,
  refusals: ['token_not_found', 'token_ended', 'token_created'],
  command: {
    name: 'token rotate',
    description:
      'Replace an access token by a new one with the same settings. The new token is printed once and never stored. The old one stays valid for the overlap.',
    arguments: { id: 'the token id' },
    options: {
      overlap: `<time> how long the old token stays valid, at most ${inDays(overlapSeconds.max)}, or 0s (default: ${inDays(overlapSeconds.default)})`,
    },
    converts: { overlap: 'duration' },
    examples: [
      'app-registry token rotate token_01jq3w4m2je6vs9a1w7p3n0d5e',
      'app-registry token rotate token_01jq3w4m2je6vs9a1w7p3n0d5e --overlap 7d',
    ],
  },
  async run({ registry, caller, params: { id }, body: { overlap = overlapSeconds.default } }) {
    const found = isTypeId(id, 'token') ? await findAccessToken(registry.storage.reader, { id }) : null;
    if (!found) throw tokenNotFound(id);
    const token = newTokenText(found.kind);
    const rotate = async (transaction: Connection) => {
      // Before the token: a suspension, which marks the tokens of its developer, is complete or has not begun.
      if (found.developer_id !== null) await findDeveloperDuring(transaction, found.developer_id);
      const old = await findAccessTokenForUpdate(transaction, { id });
      if (!old) throw tokenNotFound(id);
      requireRotatable(registry, old);
      const at = registry.now();
      const row = {
        ...old,
        id: newId('token'),
        hash: hashOfToken(token),
        created_at: at,
        expires_at: at + old.expires_at - old.created_at,
        last_used_at: null,
      };
      const expiresAt = Math.min(old.expires_at, at + 1_000 * overlap);
      await insertAccessToken(transaction, row);
      await updateReplaced(transaction, { id, by: row.id, at, expiresAt });
      const replaces = { id, expiresAt: dateTime(expiresAt) };
      const after = eventData({ ...accessTokenView(row), replaces });
      await appendEvent(transaction, { caller, at, type: 'token.created', subjectId: row.id, after });
      return { ...listedAccessToken(row, at), replaces };
    };
    // A retry needs the id alone, and the name may be that of a person.
    const resultCodec: ResultCodec<Omit<Type.Static<typeof RotatedAccessToken>, 'token'>> = {
      store: ({ id: newTokenId }) => JSON.stringify({ id: newTokenId }),
      restore: async (_, stored) => JSON.parse(stored),
    };
    return { ...(await write(registry, caller, rotate, { refuseRetry: shownOnce, resultCodec })), token };
  },
});

/** A token that was already revoked retains its time. */
export const revokeToken = operation({
  id: 'revokeToken',
  method: 'POST',
  path: `${path}/:id/revoke`,
  summary: 'Revoke a token, from its next request on',
  scope: 'admin',
  query: DryRunQuery,
  ifMatch: true,
  response: orDryRun(ListedAccessToken, 'AccessToken'),
  refusals: ['token_not_found'],
  affects: ({ params: { id } }) => ({ tokenId: id }),
  command: {
    name: 'token revoke',
    description: 'Revoke an access token. Takes effect on its next request.',
    arguments: { id: 'the token id' },
    examples: ['app-registry token revoke token_01jq3w4m2je6vs9a1w7p3n0d5e'],
  },
  async run({ registry, caller, params: { id }, ...call }) {
    const revoke = async (transaction: Connection): Promise<{ row: AccessTokenRow }> => {
      const token = isTypeId(id, 'token') ? await findAccessTokenForUpdate(transaction, { id }) : null;
      if (!token) throw tokenNotFound(id);
      requireUnchanged('token', accessTokenTag(token), call);
      if (token.revoked_at !== null) return { row: token };
      const at = registry.now();
      await updateRevokedAt(transaction, { id, revokedAt: at });
      await appendEvent(transaction, {
        caller,
        at,
        type: 'token.revoked',
        subjectId: id,
        after: { revokedAt: dateTime(at) },
      });
      return { row: { ...token, revoked_at: at } };
    };
    // The name may be that of a person.
    const resultCodec = withoutColumns<AccessTokenRow, { row: AccessTokenRow }>(['name', 'hash'], (transaction) =>
      findAccessToken(transaction, { id }),
    );
    const { row } = await write(registry, caller, revoke, { resultCodec });
    return listedAccessToken(row, registry.now());
  },
});

/** Revokes every token of a developer, including expired ones. Those already revoked retain their time. */
export const revokeDeveloperTokens = operation({
  id: 'revokeDeveloperTokens',
  method: 'POST',
  path: '/operator/v1/developers/:id/revoke-tokens',
  summary: 'Revoke all tokens of a developer',
  scope: 'admin',
  query: DryRunQuery,
  response: orDryRun(RevokedTokens, 'RevokedTokens'),
  refusals: ['developer_not_found'],
  affects: ({ params: { id } }) => ({ developerId: id }),
  command: {
    name: 'developer revoke-tokens',
    description: 'Revoke all access tokens of a developer. Takes effect on their next request.',
    arguments: { id: 'the user id, as a TypeID or UUID' },
    examples: ['app-registry developer revoke-tokens user_01jq3v8x5zf0wv4k5a6j7b8c9d'],
  },
  async run({ registry, caller, params }) {
    const developerId = requireDeveloperId(registry, params.id);
    return write(registry, caller, async (transaction) => {
      if (!(await findDeveloper(transaction, { userId: developerId }))) throw developerNotFound(developerId);
      const tokensRevoked = await revokeTokensIn(transaction, { caller, at: registry.now() }, developerId);
      return { id: developerId, tokensRevoked };
    });
  },
});

export const tokenOperations = byId(listTokens, createToken, getToken, listTokenChanges, rotateToken, revokeToken);

/** Listed beside the other operations on a developer. */
export const developerTokenOperations = byId(revokeDeveloperTokens);

/** Inside a write: revokes every token of a developer. Returns the number of revoked tokens. */
export async function revokeTokensIn(
  transaction: Connection,
  context: ChangeContext,
  developerId: string,
): Promise<number> {
  const tokens = await listUnrevokedTokens(transaction, { developerId });
  for (const token of tokens) await updateRevokedAt(transaction, { id: token.id, revokedAt: context.at });
  await appendEvents(transaction, {
    ...context,
    changes: tokens.map((token) => ({
      type: 'token.revoked',
      subjectId: token.id,
      after: { revokedAt: dateTime(context.at) },
    })),
  });
  return tokens.length;
}

function inDays(seconds: number): string {
  return `${seconds / 86_400}d`;
}

function scopeLines(): string {
  const meanings: Record<TokenScope, string> = {
    read: 'read everything except tokens and webhooks',
    portal: 'act for developers: create and update developers, apps and logos, submit apps',
    review: 'decide: approve, reject and revoke apps',
    install: 'create, enable, disable, delete and read installations, and nothing else',
    admin: 'do everything, including tokens and webhooks',
  };
  return tokenScopes.map((scope) => `  ${scope.padEnd(9)}${meanings[scope]}`).join('\n');
}

function readFilter(registry: Registry, { developerId, kind }: AccessTokenQuery): AccessTokenFilter {
  return {
    ...(developerId !== undefined && {
      developer_id: requirePlatformId(developerId, registry.userIdPrefix, '/developerId'),
    }),
    ...(kind !== undefined && { kind }),
  };
}

/** A token as shown in lists at this time. */
function listedAccessToken(row: AccessTokenRow, now: number): ListedAccessToken {
  return {
    ...accessTokenView(row),
    ...lastUse(row),
    status: tokenStatus(row, now),
    ...(row.suspended === 1 && { suspended: true }),
  };
}

/** The hour may have started before the token was issued, but no use can have. */
function lastUse({ last_used_at: hour, created_at: createdAt }: AccessTokenRow): Pick<ListedAccessToken, 'lastUsedAt'> {
  return hour === null ? {} : { lastUsedAt: dateTime(Math.max(hour, createdAt)) };
}

function tokenStatus({ revoked_at, expires_at }: AccessTokenRow, now: number): ListedAccessToken['status'] {
  if (revoked_at !== null) return 'revoked';
  return expires_at <= now ? 'expired' : 'active';
}

/** A token in events, without its name, which may be that of a person. */
function eventData<View extends AccessToken>(view: View) {
  const { id: _, name: __, replacedBy: ___, updatedAt: ____, etag: _____, ...data } = view;
  return data;
}

function requireRotatable(registry: Registry, token: AccessTokenRow): void {
  const { replaced_by: successor } = token;
  if (successor !== null) {
    throw new Failure(
      'token_ended',
      `The token was rotated already: ${successor} replaces it. Rotate that token instead.`,
    );
  }
  if (isValid(registry, token)) return;
  const how = token.revoked_at === null ? 'has expired' : 'was revoked';
  throw new Failure('token_ended', `The token ${how}, so it cannot be rotated. Create a new token instead.`);
}

/** The text of a token is not stored, not even for a repeated request. */
function shownOnce({ id }: Pick<AccessToken, 'id'>): never {
  throw new Failure(
    'token_created',
    `The first request with this Idempotency-Key created ${id} and showed its text, which is not stored. If it is lost, revoke that token and create another one with a new key.`,
  );
}

/** What contradicts the kind of a token. A scope or a limit that never applies is a mistake. */
function kindErrors({
  kind,
  developerId,
  scopes,
  updatesPerMinute,
  readsPerMinute,
  requestsPerMinute,
}: NewAccessToken): ValidationError[] {
  const [isDeveloper, isOperator] = [kind === 'developer', kind === 'operator'];
  const scopesNeeded = 'An operator token needs at least one scope: read, portal, review, install or admin.';
  const rules: [isBroken: boolean, pointer: string, code: 'required' | 'not_allowed', detail: string][] = [
    [isDeveloper && !developerId, '/developerId', 'required', 'A developer token needs a developer.'],
    [!isDeveloper && !!developerId, '/developerId', 'not_allowed', 'Only a developer token has a developer.'],
    [isOperator && !scopes, '/scopes', 'required', scopesNeeded],
    [!isOperator && !!scopes, '/scopes', 'not_allowed', 'Only an operator token has scopes.'],
    [
      updatesPerMinute !== undefined && !isDeveloper,
      '/updatesPerMinute',
      'not_allowed',
      'Only a developer token can have this limit.',
    ],
    [
      readsPerMinute !== undefined && isOperator,
      '/readsPerMinute',
      'not_allowed',
      'Only a developer or platform token can have this limit.',
    ],
    [
      requestsPerMinute !== undefined && !isOperator,
      '/requestsPerMinute',
      'not_allowed',
      'Only an operator token can have this limit.',
    ],
  ];
  return rules.flatMap(([isBroken, pointer, code, detail]) => (isBroken ? [{ pointer, code, detail }] : []));
}

/** Who makes a request, as the events of their changes name them. */
const Caller = Type.Object(
  {
    actor: Type.String({
      description: 'The id of a token, or `oidc:` and a subject of an identity provider.',
      examples: ['token_01jq3w4m2je6vs9a1w7p3n0d5e'],
    }),
    actorName: Type.Optional(Type.String({ description: 'The name of the token or the person, if any.' })),
    scopes: Type.Array(openString<TokenScope>(tokenScopes, { description: 'The scopes of the caller.' })),
    hidden: Type.Optional(
      Type.Array(openString<Hidden>(hideable, { description: 'Later releases may hide more.' }), {
        description:
          'What responses leave out for the caller because of the scope `portal`: `claims` and `notes` of reviewers. Absent if nothing is hidden.',
      }),
    ),
  },
  { $id: 'Caller', description: 'The caller of a request.' },
);
export type Caller = Type.Static<typeof Caller>;

export const getCaller = operation({
  id: 'getCaller',
  method: 'GET',
  path: '/operator/v1/caller',
  summary: 'Get the caller of the request',
  description: 'Returns the actor that events record, its scopes, and what is hidden from it.',
  scope: 'read',
  orScope: 'install',
  response: Caller,
  command: {
    name: 'whoami',
    description: 'Show who you are, as events record it, and your scopes.',
    examples: ['app-registry whoami --url https://ops.example.com'],
  },
  async run({ registry, caller: { actor }, scopes }) {
    const actorName = (await namesOfActors(registry, [actor])).get(actor);
    return { actor, ...(actorName !== undefined && { actorName }), scopes: [...scopes], ...hiddenFrom(scopes) };
  },
});

export const callerOperations = byId(getCaller);
