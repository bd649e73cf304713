import { dateTime } from '../../kernel/date-time.ts';
import { requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { listTotal } from '../../kernel/list-total.ts';
import { readPage } from '../../kernel/page.ts';
import type { TotalPageOf } from '../../kernel/page-parameters.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { Registry } from '../../kernel/registry.ts';
import { sortingOf } from '../../kernel/sorting.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';
import { AccessTokenQuery, type ListedAccessToken } from './access-token.ts';
import { type AccessTokenFilter, listAccessTokenPage, someAccessTokenIds } from './access-token-queries.ts';
import { accessTokenView } from './access-token-view.ts';

/**
 * A page of the access tokens, optionally of one developer or kind, by id unless sorted otherwise. Each shows whether it is valid now, none its
 * secret. Refuses with `invalid_content`.
 */
export async function listTokens(registry: Registry, input: unknown): Promise<TotalPageOf<ListedAccessToken>> {
  const { withTotal, ...given } = requireValid(AccessTokenQuery, input);
  const filter = readFilter(registry, given);
  const now = registry.now();
  const sorting = sortingOf(given.sort ?? 'id', orders);
  const page = await readPage(given, {
    name: 'tokens',
    read: (request) => listAccessTokenPage(registry.storage.reader, filter, { ...request, sorting }),
    view: (row) => listedAccessToken(row, now),
  });
  if (!withTotal) return page;
  const ids = (limit: number) => someAccessTokenIds(filter, limit);
  const isFiltered = Object.keys(filter).length > 0;
  return { ...page, ...(await listTotal(registry, { table: 'access_tokens', isFiltered, ids })) };
}

const orders = { id: ['id'], expiresAt: ['expires_at', 'id'] } as const;

/** A token as shown in lists at this time. */
export function listedAccessToken(row: AccessTokenRow, now: number): ListedAccessToken {
  return {
    ...accessTokenView(row),
    ...lastUse(row),
    status: statusOf(row, now),
    ...(row.suspended === 1 && { suspended: true }),
  };
}

function readFilter(registry: Registry, { developerId, kind }: AccessTokenQuery): AccessTokenFilter {
  const ids = new PlatformIds();
  const filter: AccessTokenFilter = {
    ...(developerId !== undefined && { developer_id: ids.read(developerId, registry.userIdPrefix, '/developerId') }),
    ...(kind !== undefined && { kind }),
  };
  throwIfInvalid(ids.errors);
  return filter;
}

/** The hour may have started before the token was issued, but no use can have. */
function lastUse({ last_used_at: hour, created_at: createdAt }: AccessTokenRow): Pick<ListedAccessToken, 'lastUsedAt'> {
  return hour === null ? {} : { lastUsedAt: dateTime(Math.max(hour, createdAt)) };
}

function statusOf({ revoked_at, expires_at }: AccessTokenRow, now: number): ListedAccessToken['status'] {
  if (revoked_at !== null) return 'revoked';
  return expires_at <= now ? 'expired' : 'active';
}
