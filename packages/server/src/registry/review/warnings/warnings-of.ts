import type { ReviewWarning } from '../../../contract/review-warning.ts';
import type { Reader } from '../../../storage/statement.ts';
import type { AppRow } from '../../../storage/tables.ts';
import { ownWarnings } from './own-warnings.ts';

/**
 * What a reviewer should look at in each of a page of apps (decision 28b), by their ids: in a bounded number of queries,
 * however many other apps there are. An app without warnings has an empty list.
 */
export async function warningsOf(_reader: Reader, apps: AppRow[]): Promise<Map<string, ReviewWarning[]>> {
  return new Map(apps.map((app) => [app.id, ownWarnings(app)]));
}
