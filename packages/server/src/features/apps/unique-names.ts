import { Failure } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow } from '../../storage/tables.ts';
import type { SettingValues } from '../settings/settings.ts';
import { claimNames, listSharedNames, releaseNames } from './app-queries.ts';
import { isClaimed } from './change-app-content.ts';

const listedMax = 10;

/**
 * The row of a new app, which claims its name if names are unique. An app that exists keeps its claim:
 * `apps.name_claim` of all apps changes with the setting.
 */
export function withNameClaim(row: AppRow, { uniqueNames }: Pick<SettingValues, 'uniqueNames'>): AppRow {
  return { ...row, name_claim: uniqueNames ? row.name_key : null };
}

/** Inside a write that locks the settings: every app claims its name, or none. Throws for a shared name: see `orNamesShared`. */
export async function applyUniqueNames(transaction: Connection, uniqueNames: boolean): Promise<void> {
  await (uniqueNames ? claimNames : releaseNames)(transaction, {});
}

/** Turns the error of a write that claimed a shared name into `names_shared`; returns any other error unchanged. */
export async function orNamesShared({ storage }: Registry, error: unknown): Promise<unknown> {
  if (!isClaimed(error)) return error;
  const names = (await listSharedNames(storage.reader, {})).map(({ name_key: key }) => JSON.stringify(key));
  const listed = names.slice(0, listedMax).join(', ');
  return new Failure(
    'names_shared',
    `Several apps share a name: ${listed}${names.length > listedMax ? ' and more' : ''}. Rename these apps before names can be unique. An approved name also counts until another one is approved.`,
  );
}
