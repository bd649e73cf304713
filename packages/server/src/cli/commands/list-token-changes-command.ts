import type { Command } from 'commander';
import {
  type ChangedObject,
  listTokenChanges,
  objectsShownMax,
  type TokenChanges,
} from '../../features/access/list-token-changes.ts';
import { pageLimits } from '../../kernel/page.ts';
import { derivedCommand } from '../derived-commands.ts';
import { readableSearch, searchProgress } from '../progress-line.ts';
import type { RunOperation } from '../run-operation.ts';

export function tokenListChangesCommand(): Command {
  return derivedCommand(listTokenChanges, {
    read: (run, { params: { id = '' } = {}, query }) => listAllChanges(run, id, query),
    readable(result) {
      const { items, ...page } = result as TokenChanges;
      const ofType = (wanted: ChangedObject['type']) => items.filter(({ type }) => type === wanted).map(readableObject);
      return readableSearch({
        ...{ apps: ofType('app'), workspaces: ofType('workspace'), others: ofType('other') },
        ...page,
      });
    },
  });
}

/** The types of its changes on one line. */
function readableObject({ type: _, ...object }: ChangedObject): object {
  return { ...object, types: object.types.map(({ type, changes }) => `${type} ${changes}`) };
}

/** The sum of the pages, up to a number of objects. */
export async function listAllChanges(
  run: RunOperation,
  id: string,
  { limit = objectsShownMax, cursor, ...query }: { limit?: number; cursor?: string } & Record<string, unknown> = {},
): Promise<TokenChanges> {
  const objects = new Map<string, ChangedObject>();
  const progress = searchProgress('token list-changes');
  try {
    for (let from = cursor; ; ) {
      const pageLimit = Math.min(limit - objects.size, pageLimits.max);
      const page = await run('listTokenChanges', {
        params: { id },
        query: { ...query, limit: pageLimit, cursor: from },
      });
      for (const one of page.items) objects.set(keyOf(one), sumOf(objects.get(keyOf(one)), one));
      from = page.nextCursor;
      const searched = progress.add(page.searched);
      if (from === undefined || objects.size >= limit) return { ...page, items: [...objects.values()], searched };
    }
  } finally {
    progress.end();
  }
}

function keyOf(object: ChangedObject): string {
  if (object.type === 'app') return `app ${object.appId}`;
  return object.type === 'workspace' ? `workspace ${object.workspaceId}` : `other ${object.subjectId}`;
}

/** An object may be on several pages. */
function sumOf(before: ChangedObject | undefined, object: ChangedObject): ChangedObject {
  if (!before) return object;
  const types = new Map(before.types.map(({ type, changes }) => [type, changes]));
  for (const { type, changes } of object.types) types.set(type, (types.get(type) ?? 0) + changes);
  return {
    ...object,
    changes: before.changes + object.changes,
    types: [...types].map(([type, changes]) => ({ type, changes })),
    // Times in the format of the registry have the order of their texts.
    firstAt: before.firstAt < object.firstAt ? before.firstAt : object.firstAt,
    lastAt: before.lastAt > object.lastAt ? before.lastAt : object.lastAt,
  };
}
