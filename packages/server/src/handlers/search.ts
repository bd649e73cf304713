import type { searchOperations } from '../contract/operations/search.ts';
import { allows } from '../features/access/access-token.ts';
import type { Handlers } from '../kernel/handler.ts';
import type { Registry } from '../kernel/registry.ts';
import { search } from '../registry/search/search.ts';

/** One search over everything that the token may read. */
export function searchHandlers(registry: Registry): Handlers<typeof searchOperations> {
  return {
    search: ({ query, scopes }) => search(registry, { query, isAdmin: allows(scopes, 'admin') }),
  };
}
