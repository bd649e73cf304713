import { SearchQuery, SearchResult } from '../search/search.ts';
import type { OperatorOperation } from './operation.ts';

/** One search over everything. */
export const searchOperations = {
  search: {
    method: 'GET',
    path: '/operator/v1/search',
    summary: 'Search apps, developers and everything that has an id',
    description:
      'Up to `limit` hits of each type. What has the id comes first, then names that are or begin with what is sought, then words that begin with it, then any other part. Webhooks and tokens are found with the scope `admin` only.',
    scope: 'read',
    query: SearchQuery,
    response: SearchResult,
  },
} as const satisfies Record<string, OperatorOperation>;
