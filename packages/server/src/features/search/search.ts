import { requireValid } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import { findAppsByName } from './find-apps.ts';
import { findById } from './find-by-id.ts';
import { findDevelopersByText } from './find-developers.ts';
import { findHosts } from './find-hosts.ts';
import { findWebhooksByText } from './find-webhooks.ts';
import { catchUp } from './projections.ts';
import { type SearchHit, SearchQuery, type SearchResult, searchLimits } from './search-result.ts';

interface SearchInput {
  query: unknown;
  /** Whether the caller may read webhooks and tokens. */
  isAdmin: boolean;
}

/**
 * The hits for a text: up to `limit` of each type, the best first. The number of index queries does not depend on the
 * size of the registry. Refuses with `invalid_content`.
 */
export async function search(registry: Registry, { query, isAdmin }: SearchInput): Promise<SearchResult> {
  const { q, limit = searchLimits.default } = requireValid(SearchQuery, query);
  const sought = { text: q.trim(), wanted: limit + 1 };
  if (sought.text === '') return { items: [], more: [] };
  await catchUp(registry);
  const found = await Promise.all([
    findById(registry, sought.text),
    findAppsByName(registry, sought),
    findDevelopersByText(registry, sought),
    findHosts(registry, sought),
    findWebhooksByText(registry, sought),
  ]);
  const hits = found.flat().filter(({ type }) => isAdmin || !(type === 'webhook' || type === 'token'));
  return grouped(hits, limit);
}

/** The order in which types are shown. */
const types: readonly SearchHit['type'][] = [
  'app',
  'developer',
  'host',
  'workspace',
  'installation',
  'logo',
  'webhook',
  'token',
];

function grouped(hits: SearchHit[], limit: number): SearchResult {
  const groups = types.map((type) => ({ type, hits: unique(hits.filter((hit) => hit.type === type)) }));
  return {
    items: groups.flatMap((group) => group.hits.slice(0, limit)),
    more: groups.filter((group) => group.hits.length > limit).map(({ type }) => type),
  };
}

/** What is found by its id may be found by its name too. */
function unique(hits: SearchHit[]): SearchHit[] {
  return [...new Map(hits.toReversed().map((hit) => [keyOf(hit), hit])).values()].toReversed();
}

function keyOf(hit: SearchHit): string {
  if (hit.type === 'developer') return hit.userId;
  if (hit.type === 'workspace') return hit.workspaceId;
  return hit.type === 'host' ? hit.host : hit.id;
}
