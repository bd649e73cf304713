import { updatePlatformRevisions } from '../../storage/queries/apps.ts';
import { listDevelopersForUpdate, replaceDeveloper as storeDeveloper } from '../../storage/queries/developers.ts';
import type { Connection } from '../../storage/query.ts';
import type { DeveloperRow } from '../../storage/tables.ts';
import { developerNotFound } from '../apps/create-app.ts';
import type { Registry } from '../registry.ts';
import { toTypeId } from '../type-id.ts';

type Person = Pick<DeveloperRow, 'email' | 'first_name' | 'last_name'>;

/**
 * The user id of the developer that an operator names. What can be nobody's is nobody's, as for any object
 * (decision 25). Refuses with `developer_not_found`.
 */
export function requireDeveloperId({ userIdPrefix }: Registry, text: string): string {
  const userId = toTypeId(text, userIdPrefix);
  if (userId === null) throw developerNotFound(text);
  return userId;
}

/** A developer whom no other write changes, and who gets no other app, until this one ends. */
export async function lockDeveloper(transaction: Connection, userId: string): Promise<DeveloperRow> {
  const [developer] = await listDevelopersForUpdate(transaction, [userId]);
  if (!developer) throw developerNotFound(userId);
  return developer;
}

/** Stores what changes of a locked developer. Answers the names of those members, which events may tell. */
export async function replaceDeveloper(
  transaction: Connection,
  before: DeveloperRow,
  { person, at }: { person: Partial<Person>; at: number },
): Promise<{ developer: DeveloperRow; changed: string[] }> {
  const changed = (Object.keys(person) as (keyof Person)[]).filter((column) => person[column] !== before[column]);
  if (changed.length === 0) return { developer: before, changed };
  const developer = { ...before, ...person, updated_at: Math.max(at, before.updated_at) };
  await storeDeveloper(transaction, developer);
  await updatePlatformRevisions(transaction, { developerId: before.user_id });
  return { developer, changed: changed.map((column) => memberNames[column]) };
}

const memberNames: Record<keyof Person, string> = {
  email: 'email',
  first_name: 'firstName',
  last_name: 'lastName',
};
