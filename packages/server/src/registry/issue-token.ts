import { type AccessToken, NewAccessToken, tokenLifeMs } from '../contract/access-token.ts';
import { check } from '../contract/check.ts';
import type { Fault } from '../contract/problem.ts';
import { insertAccessToken } from '../storage/access-tokens.ts';
import { findDeveloper } from '../storage/developers.ts';
import type { AccessTokenRow } from '../storage/tables.ts';
import { hashOfToken, newTokenText } from './access-token-text.ts';
import { accessTokenView } from './access-token-view.ts';
import { appendEvent } from './append-event.ts';
import { developerNotFound } from './create-app.ts';
import { refuseFaults } from './failure.ts';
import { PlatformIds } from './platform-id.ts';
import type { Caller, Registry } from './registry.ts';
import { newId } from './type-id.ts';

/**
 * Issues an access token (decision 29). The text of the token is in this answer and nowhere else.
 * Refuses with `invalid_content` or `developer_not_found`.
 */
export async function issueToken(
  registry: Registry,
  caller: Caller,
  input: unknown,
): Promise<AccessToken & { token: string }> {
  refuseFaults(check(NewAccessToken, input));
  const given = input as NewAccessToken;
  refuseFaults([...developerFaults(given), ...limitFaults(given)]);
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
    expires_at: at + (given.lifeMs ?? tokenLifeMs.default),
    revoked_at: null,
    updates_per_minute: given.updatesPerMinute ?? null,
    reads_per_minute: given.readsPerMinute ?? null,
  };
  const view = accessTokenView(row);
  await registry.storage.write(async (transaction) => {
    if (developerId !== null && !(await findDeveloper(transaction, { userId: developerId }))) {
      throw developerNotFound(developerId);
    }
    await insertAccessToken(transaction, row);
    const { id: subjectId, ...after } = view;
    await appendEvent(transaction, { caller, at, type: 'token.issued', subjectId, after });
  });
  return { ...view, token };
}

function developerFaults({ kind, developerId }: NewAccessToken): Fault[] {
  if ((kind === 'developer') === (developerId !== undefined)) return [];
  return kind === 'developer'
    ? [{ pointer: '/developerId', code: 'required', detail: 'A developer token needs its developer.' }]
    : [{ pointer: '/developerId', code: 'not_allowed', detail: 'Only a developer token has a developer.' }];
}

/** A limit that nothing would ever be counted against is a mistake. */
function limitFaults({ kind, updatesPerMinute, readsPerMinute }: NewAccessToken): Fault[] {
  const faults: Fault[] = [];
  if (updatesPerMinute !== undefined && kind !== 'developer') {
    faults.push({ pointer: '/updatesPerMinute', code: 'not_allowed', detail: 'Only a developer token makes updates.' });
  }
  if (readsPerMinute !== undefined && kind === 'operator') {
    faults.push({ pointer: '/readsPerMinute', code: 'not_allowed', detail: 'An operator token makes no reads.' });
  }
  return faults;
}

function readDeveloperId(registry: Registry, { developerId }: NewAccessToken): string | null {
  if (developerId === undefined) return null;
  const ids = new PlatformIds();
  const id = ids.read(developerId, registry.userIdPrefix, '/developerId');
  refuseFaults(ids.faults);
  return id;
}
