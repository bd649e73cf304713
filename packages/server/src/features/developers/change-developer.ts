import { developerNotFound } from '../../kernel/failure.ts';
import { type ResultCodec, withoutColumns } from '../../kernel/idempotency.ts';
import { toTypeId } from '../../kernel/ids.ts';
import type { Registry } from '../../kernel/registry.ts';
import { entityTag, newRevisionNonce, type RevisionCondition, requireUnchanged } from '../../kernel/revision.ts';
import { dateTime, optional } from '../../kernel/text.ts';
import { markForProjection } from '../../storage/kernel-queries.ts';
import type { Connection } from '../../storage/query.ts';
import type { DeveloperRow } from '../../storage/tables.ts';
import { developerRecord, type OperatorDeveloper } from './developer.ts';
import { findDeveloper, listDevelopersForUpdate, replaceDeveloper as replaceRow } from './developer-queries.ts';

type Person = Pick<DeveloperRow, 'email' | 'first_name' | 'last_name'>;

/**
 * The user id of a developer that an operator names. An impossible id is treated like an unknown one.
 * Refuses with `developer_not_found`.
 */
export function requireDeveloperId({ userIdPrefix }: Registry, text: string): string {
  const userId = toTypeId(text, userIdPrefix);
  if (userId === null) throw developerNotFound(text);
  return userId;
}

/** A developer, locked until the write ends: no other write changes the developer or assigns them an app. */
export async function lockDeveloper(
  transaction: Connection,
  userId: string,
  condition: RevisionCondition = {},
): Promise<DeveloperRow> {
  const [developer] = await listDevelopersForUpdate(transaction, [userId]);
  if (!developer) throw developerNotFound(userId);
  requireUnchanged('developer', entityTag(developer), condition);
  return developer;
}

/** Stores the changes of a locked developer. Returns the names of the changed fields, which events may contain. */
export async function replaceDeveloper(
  transaction: Connection,
  before: DeveloperRow,
  { person, at }: { person: Partial<Person>; at: number },
): Promise<{ developer: DeveloperRow; changed: string[] }> {
  const changed = personColumns.filter((column) => column in person && person[column] !== before[column]);
  if (changed.length === 0) return { developer: before, changed };
  const developer = { ...before, ...person, updated_at: Math.max(at, before.updated_at) };
  const stored = await storeDeveloper(transaction, developer);
  return { developer: stored, changed: changed.map((column) => fieldNames[column]) };
}

/** Stores a developer whose apps look different from now on: the new nonce gives each app another platform revision. */
export async function storeDeveloper(transaction: Connection, developer: DeveloperRow): Promise<DeveloperRow> {
  const stored = { ...developer, revision_nonce: newRevisionNonce() };
  await replaceRow(transaction, stored);
  await markForProjection(transaction, { subjectId: developer.user_id });
  return stored;
}

const personColumns = ['email', 'first_name', 'last_name'] as const;

const fieldNames: Record<keyof Person, string> = {
  email: 'email',
  first_name: 'firstName',
  last_name: 'lastName',
};

/** A developer as operators see them. */
export function operatorDeveloperView(row: DeveloperRow): OperatorDeveloper {
  const { suspended_at: at, suspension_reason: reason } = row;
  const { userId: id, ...person } = developerRecord(row);
  return {
    id,
    ...person,
    createdAt: dateTime(row.created_at),
    updatedAt: dateTime(row.updated_at),
    ...optional({ suspendedAt: at === null ? null : dateTime(at), suspensionReason: reason }),
    etag: entityTag(row),
  };
}

/** What a change of a developer returns: their row, and what its response has beside the view of that. */
export type ChangedDeveloper<View extends OperatorDeveloper = OperatorDeveloper> = { row: DeveloperRow } & Omit<
  View,
  keyof OperatorDeveloper
>;

/** How such a result is stored for retries: without personal data. */
export function withoutPerson<Changed extends ChangedDeveloper>(): ResultCodec<Changed> {
  const person = ['email', 'first_name', 'last_name'] as const;
  return withoutColumns<DeveloperRow, Changed>(person, (transaction, { user_id: userId }) =>
    findDeveloper(transaction, { userId }),
  );
}
