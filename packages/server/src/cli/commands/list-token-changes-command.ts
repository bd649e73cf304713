import type { Command } from 'commander';
import {
  type ChangeCount,
  listTokenChanges,
  objectsShownMax,
  type TokenChanges,
} from '../../features/access/list-token-changes.ts';
import { derivedCommand } from '../derived-commands.ts';
import { readableSearch, searchProgress } from '../progress-line.ts';
import type { RunOperation } from '../run-operation.ts';

export function tokenListChangesCommand(): Command {
  return derivedCommand(listTokenChanges, {
    read: (run, { params: { id = '' } = {}, query }) => listAllChanges(run, id, query),
    readable(result) {
      const { apps, workspaces, others, ...page } = result as TokenChanges;
      return readableSearch({
        apps: apps.map(readableTypes),
        workspaces: workspaces.map(readableTypes),
        others: others.map(readableTypes),
        ...page,
      });
    },
  });
}

interface ListedChanges {
  since?: string;
  cursor?: string;
  objectsMax?: number;
}

/** The sum of the pages, up to a number of objects. */
export async function listAllChanges(
  run: RunOperation,
  id: string,
  { since, cursor, objectsMax = objectsShownMax }: ListedChanges = {},
): Promise<TokenChanges> {
  const sum = new ChangesSum();
  const progress = searchProgress('token list-changes');
  try {
    for (let from = cursor; ; ) {
      const page = await run('listTokenChanges', { params: { id }, query: { since, cursor: from } });
      sum.add(page);
      from = page.nextCursor;
      const searched = progress.add(page.searched);
      if (from === undefined || sum.size >= objectsMax) return { ...page, ...sum.objects(), searched };
    }
  } finally {
    progress.end();
  }
}

/** The types on one line. */
function readableTypes<Count extends ChangeCount>(count: Count): object {
  return { ...count, types: count.types.map(({ type, changes }) => `${type} ${changes}`) };
}

type Objects = Pick<TokenChanges, 'apps' | 'workspaces' | 'others'>;

/** Adds up pages of what a token changed: an object may be on several. */
class ChangesSum {
  readonly #apps = new Map<string, TokenChanges['apps'][number]>();
  readonly #workspaces = new Map<string, TokenChanges['workspaces'][number]>();
  readonly #others = new Map<string, TokenChanges['others'][number]>();

  add({ apps, workspaces, others }: Objects): void {
    for (const one of apps) this.#apps.set(one.appId, sumOf(this.#apps.get(one.appId), one));
    for (const one of workspaces) {
      this.#workspaces.set(one.workspaceId, sumOf(this.#workspaces.get(one.workspaceId), one));
    }
    for (const one of others) this.#others.set(one.subjectId, sumOf(this.#others.get(one.subjectId), one));
  }

  /** The number of objects. */
  get size(): number {
    return this.#apps.size + this.#workspaces.size + this.#others.size;
  }

  objects(): Objects {
    return {
      apps: [...this.#apps.values()],
      workspaces: [...this.#workspaces.values()],
      others: [...this.#others.values()],
    };
  }
}

function sumOf<Count extends ChangeCount>(before: ChangeCount | undefined, count: Count): Count {
  if (!before) return count;
  const types = new Map(before.types.map(({ type, changes }) => [type, changes]));
  for (const { type, changes } of count.types) types.set(type, (types.get(type) ?? 0) + changes);
  return {
    ...count,
    changes: before.changes + count.changes,
    types: [...types].map(([type, changes]) => ({ type, changes })),
    // Times in the format of the registry have the order of their texts.
    firstAt: before.firstAt < count.firstAt ? before.firstAt : count.firstAt,
    lastAt: before.lastAt > count.lastAt ? before.lastAt : count.lastAt,
  };
}
