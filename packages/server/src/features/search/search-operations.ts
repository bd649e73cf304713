import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { SearchQuery, SearchResult } from './search-result.ts';

/** One search over everything. */
export const searchOperations = {
  search: {
    method: 'GET',
    path: '/operator/v1/search',
    summary: 'Search apps, developers and everything that has an id',
    description:
      'Returns up to `limit` results of each type. The best matches come first: an equal id, a name that equals or starts with the text, a word that starts with it, then any other part. Webhooks and tokens require the scope `admin`.',
    scope: 'read',
    query: SearchQuery,
    response: SearchResult,
  },
} as const satisfies Record<string, OperatorOperation>;
