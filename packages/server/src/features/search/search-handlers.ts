import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import { allows } from '../access/access-token.ts';
import { search } from './search.ts';
import type { searchOperations } from './search-operations.ts';

/** One search over everything that the token may read. */
export function searchHandlers(registry: Registry): Handlers<typeof searchOperations> {
  return {
    search: ({ query, scopes }) => search(registry, { query, isAdmin: allows(scopes, 'admin') }),
  };
}
