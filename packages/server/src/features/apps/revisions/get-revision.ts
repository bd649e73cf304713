import { check } from '../../../kernel/check.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { DateTime } from '../../../kernel/text.ts';
import { findRevision, findRevisionAt } from './find-revision.ts';
import { readHistory } from './read-history.ts';
import type { AppRevision } from './revision.ts';
import { revisionView } from './revision-view.ts';

/**
 * One revision of an app's content, by its number, its tag with or without quotes, or a UTC time: then the one that was
 * current at that time. Refuses with `app_not_found`, `revision_not_found` or `revision_archived`.
 */
export async function getRevision(
  registry: Registry,
  { appId, revision: name }: { appId: string; revision: string },
): Promise<AppRevision> {
  return readHistory(registry, appId, async (snapshot, app) => {
    const found =
      check(DateTime, name) === null
        ? await findRevisionAt(snapshot, { app, time: Date.parse(name) })
        : await findRevision(registry, snapshot, { app, name: nameIn(name) });
    return revisionView(registry, app, found);
  });
}

function nameIn(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text.replace(/^"(.*)"$/, '$1');
}
