import { deleteIdentities, insertIdentities } from '../../../storage/queries/review/identities.ts';
import type { Connection } from '../../../storage/query.ts';
import type { AppRow } from '../../../storage/tables.ts';
import { comparedFields, comparedTextsOf, identityRowsOf } from './identities.ts';

/** All that the identities of an app are made from. */
const sources = [
  ...comparedFields.map(({ column }) => column),
  'approved_content',
  'withdrawn',
  'review_status',
] as const satisfies (keyof AppRow)[];

/**
 * Inside the write that stores a changed app: replaces its names and hosts. Costs nothing if none of them can have changed.
 */
export async function updateIdentities(transaction: Connection, before: AppRow, after: AppRow): Promise<void> {
  if (sources.every((column) => after[column] === before[column])) return;
  // A step of review changes none of these, and a developer may have thousands of apps that are suspended.
  if (isSame(comparedTextsOf(after).map(toText), comparedTextsOf(before).map(toText))) return;
  if (isSame(identityRowsOf(after), identityRowsOf(before))) return;
  await replaceIdentities(transaction, [after]);
}

function toText({ source, field, text }: ReturnType<typeof comparedTextsOf>[number]): string[] {
  return [source, field.column, text];
}

function isSame(one: object[], other: object[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Inside a write: stores the names and hosts of apps that may have some already. */
export async function replaceIdentities(transaction: Connection, apps: AppRow[]): Promise<void> {
  await deleteIdentities(
    transaction,
    apps.map(({ id }) => id),
  );
  await storeIdentities(transaction, apps);
}

/** Inside the write that inserts apps: stores their names and hosts. */
export async function storeIdentities(transaction: Connection, apps: AppRow[]): Promise<void> {
  await insertIdentities(transaction, apps.flatMap(identityRowsOf));
}
