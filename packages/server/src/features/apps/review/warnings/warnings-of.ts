import type { Reader } from '../../../../storage/statement.ts';
import type { AppRow } from '../../../../storage/tables.ts';
import { type AppIdentity, identitiesIn } from './identities.ts';
import { lookAlikeWarnings } from './look-alike-warnings.ts';
import { ownWarnings } from './own-warnings.ts';
import { protectedNameWarnings } from './protected-name-warnings.ts';
import type { ReviewWarning } from './review-warning.ts';

/**
 * What a reviewer should look at in each of a page of apps (decision 28b), by their ids: in a bounded number of queries,
 * however many other apps there are. An app without warnings has an empty list.
 */
export async function warningsOf(reader: Reader, apps: AppRow[]): Promise<Map<string, ReviewWarning[]>> {
  const identities = apps.flatMap((app) => identitiesIn(app).map((identity): AppIdentity => ({ app, ...identity })));
  const compared = await Promise.all([
    lookAlikeWarnings(reader, identities),
    protectedNameWarnings(reader, identities),
  ]);
  const warnings = new Map(apps.map((app) => [app.id, ownWarnings(app)]));
  for (const { app, warning } of compared.flat()) warnings.get(app.id)?.push(warning);
  return warnings;
}
