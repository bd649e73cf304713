import { Command } from 'commander';
import type { SearchHit, SearchResult } from '../features/search/search-result.ts';
import { operationAction } from './operation/operation-action.ts';
import { example, wholeNumber } from './options.ts';

export function searchCommand(): Command {
  return new Command('search')
    .description('Search apps, developers, hosts, workspaces and every other object with an id.')
    .argument('<text>', 'words or parts of words in a name, part of an email address or host, or an id')
    .option('--limit <count>', 'the maximum number of results of each type (default: 5, at most 20)', wholeNumber)
    .addHelpText('after', example('app-registry search "invoice sync"'))
    .action(
      operationAction<{ limit?: number }, SearchResult>(
        (run, { args: [q = ''], options: { limit } }) => run('search', { query: { q, limit } }),
        readable,
      ),
    );
}

/** One line for each hit. */
function readable({ items, more }: SearchResult): object {
  if (items.length === 0) return { found: 'nothing' };
  const groups = [...Map.groupBy(items, ({ type }) => type)];
  return Object.fromEntries(
    groups.map(([type, hits]) => [more.includes(type) ? `${type}, the first of more` : type, hits.map(lineOf)]),
  );
}

function lineOf({ type: _, ...hit }: SearchHit): string {
  return Object.values(hit).join('  ');
}
