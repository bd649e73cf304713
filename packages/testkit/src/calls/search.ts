import { search as operation } from '../../../server/src/features/search/search.ts';
import type { SearchResult } from '../../../server/src/features/search/search-result.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

export function search(
  registry: Registry,
  { query, isAdmin }: { query: unknown; isAdmin: boolean },
): Promise<SearchResult> {
  const scopes = isAdmin ? (['admin'] as const) : (['read'] as const);
  return runOperation(operation, registry, { caller: commandLine, query: query as Record<string, unknown>, scopes });
}
