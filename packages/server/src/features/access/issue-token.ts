import { developerNotFound, Failure, requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { newId } from '../../kernel/type-id.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import { findDeveloperDuring } from '../suspension/suspended-developer.ts';
import { type AccessToken, type IssuedAccessToken, NewAccessToken, tokenLifetimeSeconds } from './access-token.ts';
import { insertAccessToken } from './access-token-queries.ts';
import { hashOfToken, newTokenText } from './access-token-text.ts';
import { accessTokenView } from './access-token-view.ts';

/**
 * Issues an access token (decision 29). Its text is only in this result. Refuses with `invalid_content` or
 * `developer_not_found`.
 */
export async function issueToken(registry: Registry, caller: Caller, input: unknown): Promise<IssuedAccessToken> {
  const given = requireValid(NewAccessToken, input);
  throwIfInvalid([...developerErrors(given), ...scopeErrors(given), ...limitErrors(given)]);
  const developerId = readDeveloperId(registry, given);

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
    last_used_at: null,
    suspended: 0,
  };
  const view = accessTokenView(row);
  await writeIdempotently(registry, caller, {
    content: ['issueToken', given],
    work: async (transaction) => {
      const developer = developerId === null ? null : await findDeveloperDuring(transaction, developerId);
      if (developerId !== null && !developer) throw developerNotFound(developerId);
      const isSuspended = developer !== null && developer.suspended_at !== null;
      await insertAccessToken(transaction, { ...row, suspended: isSuspended ? 1 : 0 });
      // The name may be that of a person, which neither events nor stored results contain.
      const { id: subjectId, name: _, ...after } = view;
      await appendEvent(transaction, { caller, at, type: 'token.issued', subjectId, after });
      return { id: subjectId };
    },
    refuseRetry: shownOnce,
  });
  return { ...view, token };
}

/** The text of a token is not stored, not even for a repeated request. */
function shownOnce({ id }: Pick<AccessToken, 'id'>): never {
  throw new Failure(
    'token_issued',
    `The first request with this Idempotency-Key issued ${id} and showed its text, which is not stored. If it is lost, revoke that token and issue another one with a new key.`,
  );
}

function developerErrors({ kind, developerId }: NewAccessToken): ValidationError[] {
  if ((kind === 'developer') === (developerId !== undefined)) return [];
  return kind === 'developer'
    ? [{ pointer: '/developerId', code: 'required', detail: 'A developer token needs a developer.' }]
    : [{ pointer: '/developerId', code: 'not_allowed', detail: 'Only a developer token has a developer.' }];
}

/** An operator token without a scope is useless, and no other token has scopes. */
function scopeErrors({ kind, scopes }: NewAccessToken): ValidationError[] {
  if ((kind === 'operator') === (scopes !== undefined)) return [];
  return kind === 'operator'
    ? [
        {
          pointer: '/scopes',
          code: 'required',
          detail: 'An operator token needs at least one scope: read, portal, review, install or admin.',
        },
      ]
    : [{ pointer: '/scopes', code: 'not_allowed', detail: 'Only an operator token has scopes.' }];
}

/** A limit that never applies is a mistake. */
function limitErrors({ kind, updatesPerMinute, readsPerMinute }: NewAccessToken): ValidationError[] {
  const errors: ValidationError[] = [];
  if (updatesPerMinute !== undefined && kind !== 'developer') {
    errors.push({
      pointer: '/updatesPerMinute',
      code: 'not_allowed',
      detail: 'Only a developer token can have this limit.',
    });
  }
  if (readsPerMinute !== undefined && kind === 'operator') {
    errors.push({
      pointer: '/readsPerMinute',
      code: 'not_allowed',
      detail: 'Only a developer or platform token can have this limit.',
    });
  }
  return errors;
}

function readDeveloperId(registry: Registry, { developerId }: NewAccessToken): string | null {
  if (developerId === undefined) return null;
  const ids = new PlatformIds();
  const id = ids.read(developerId, registry.userIdPrefix, '/developerId');
  throwIfInvalid(ids.errors);
  return id;
}
