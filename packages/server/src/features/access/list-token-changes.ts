import { check } from '../../kernel/check.ts';
import { throwIfInvalid } from '../../kernel/failure.ts';
import { operation } from '../../kernel/operation.ts';
import { readPage } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { isTypeId } from '../../kernel/type-id.ts';
import type { EventRow } from '../../storage/tables.ts';
import { archivedEvents } from '../events/archived-events.ts';
import { type EventFilter, listEventPage } from '../events/event-queries.ts';
import { EventQuery, readSince } from '../events/event-query.ts';
import { searchedUntil } from '../events/search-events.ts';
import { summariseChanges, summarisedDataOf } from '../events/summarise-changes.ts';
import { findAccessToken } from './access-queries.ts';
import { tokenNotFound } from './access-token.ts';
import { TokenChanges, TokenChangesQuery } from './token-changes.ts';

/** The number of changes that one page summarises, and thereby the most objects that it names. */
export const changesMax = 1_000;

export const listTokenChanges = operation({
  id: 'listTokenChanges',
  method: 'GET',
  path: '/operator/v1/tokens/:id/changes',
  summary: 'Summarise what a token changed, by app and workspace',
  description:
    'Shows which apps and workspaces were changed with a token, even a revoked one. The id is that of a token, or the `oidc:` actor of a person who signs in with the identity provider. Each page summarises a bounded number of changes.',
  scope: 'read',
  query: TokenChangesQuery,
  response: TokenChanges,
  refusals: ['token_not_found'],
  async run({ registry, params: { id }, query: { since, cursor } }) {
    const start = readStart(since);
    await requireActor(registry, id);
    const query = { actor: id, since, cursor, limit: changesMax };
    const { items, nextCursor } = await readPage(query, {
      name: 'token list-changes',
      read: (request) =>
        listEventPage(
          registry.storage.reader,
          { actor: id, after: start.after },
          { ...request, dataOf: summarisedDataOf },
        ),
      view: (row) => row,
    });
    // After a clock was ahead, any number of older events may follow: they count as read too.
    const isSince = ({ occurred_at }: EventRow) => start.since === undefined || occurred_at >= start.since;
    return {
      ...(await summariseChanges(registry, items.filter(isSince))),
      searched: searchedUntil(items.length, items.at(-1)),
      ...(await archivedEvents(registry, start)),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  },
});

function readStart(since: string | undefined): Pick<EventFilter, 'after' | 'since'> {
  if (since === undefined) return {};
  const errors: ValidationError[] = [];
  const start = readSince(since, errors);
  throwIfInvalid(errors);
  return start;
}

/** The registry does not know the tokens of an identity provider, only who used them. */
async function requireActor({ storage }: Registry, id: string): Promise<void> {
  if (id.startsWith('oidc:') && check(EventQuery.properties.actor, id) === null) return;
  const token = isTypeId(id, 'token') ? await findAccessToken(storage.reader, { id }) : null;
  if (!token) throw tokenNotFound(id);
}
