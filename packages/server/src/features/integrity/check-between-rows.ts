import type { Snapshot } from '../../storage/query.ts';
import { findLatestEventArchive, streamEventArchives } from '../events/archive/event-archive-queries.ts';
import type { Finding } from './check-row.ts';
import {
  type CheckedTable,
  danglingReferences,
  eventlessOthers,
  type KeyRange,
  streamEventlessDeletedApps,
  streamEventlessOfApps,
  streamHalfDeleted,
  streamMiscounted,
  streamNotSuspendedInstallations,
  streamOrphanComparisonKeys,
  streamOrphanTexts,
  streamSharedWorkspaces,
  streamWrongClaims,
  streamWronglyRevokedInstallations,
  streamWronglySuspendedApps,
  streamWronglySuspendedInstallations,
  streamWronglySuspendedTokens,
} from './invariant-queries.ts';

/** Yields findings about the rows of a range. */
export type RangeCheck = (snapshot: Snapshot, range: KeyRange) => AsyncIterable<Finding[]>;

/** Checks across rows, by the table whose keys make the ranges: each queries the rows that are inconsistent with others. */
export const checksBetweenRows: { [Table in CheckedTable]?: RangeCheck[] } = {
  apps: [
    check(streamMiscounted, ({ id, installation_count: count, installations }) => ({
      pointer: `/apps/${id}/installation_count`,
      code: 'wrong_count',
      detail: `The count is ${count}, but the app has ${installations} installations.`,
    })),
    check(streamSharedWorkspaces, ({ app_id: app, workspace_id: workspace }) => ({
      pointer: `/apps/${app}`,
      code: 'already_exists',
      detail: `The app is installed in ${workspace} more than once.`,
    })),
    check(streamWrongClaims, ({ name_key: name, app_id: app, is_missing: isMissing }) => ({
      pointer: `/apps/${app}/name_claim`,
      code: isMissing ? 'not_found' : 'not_allowed',
      detail: `The app ${isMissing ? 'lacks its claim' : 'has a claim'} to the name "${name}".`,
    })),
    check(streamWronglySuspendedApps, ({ id }) => ({
      pointer: `/apps/${id}/suspended_status`,
      code: 'not_allowed',
      detail: 'Either the app or its developer is suspended, but not both.',
    })),
    check(streamNotSuspendedInstallations, wronglySuspended),
    ...danglingIn('apps'),
    // In the ranges of their apps, also of missing ones.
    ...danglingIn('installations'),
    checkEvents(streamEventlessOfApps, ({ id, type }) => eventMissing(tablesByEvent[type], { id, type })),
  ],
  installations: [
    check(streamWronglySuspendedInstallations, wronglySuspended),
    check(streamWronglyRevokedInstallations, ({ id }) => ({
      pointer: `/installations/${id}/disabled_by`,
      code: 'not_allowed',
      detail: 'The installation cannot wait for an approval: its app is APPROVED.',
    })),
  ],
  deleted_apps: [
    check(streamHalfDeleted, ({ id }) => ({
      pointer: `/deleted_apps/${id}`,
      code: 'already_exists',
      detail: 'The app exists and is also among the deleted apps.',
    })),
    ...danglingIn('deleted_apps'),
    checkEvents(streamEventlessDeletedApps, ({ id }) => eventMissing('deleted_apps', { id, type: 'app.deleted' })),
  ],
  access_tokens: [
    check(streamWronglySuspendedTokens, ({ id }) => ({
      pointer: `/access_tokens/${id}/suspended`,
      code: 'not_allowed',
      detail: 'Either the token or its developer is suspended, but not both.',
    })),
    ...danglingIn('access_tokens'),
  ],
  search_texts: [check(streamOrphanTexts, ({ id }) => orphan(`/search_texts/${id}`))],
  app_comparison_keys: [check(streamOrphanComparisonKeys, ({ id }) => orphan(`/app_comparison_keys/${id}`))],
  logos: danglingIn('logos'),
  idempotency_keys: danglingIn('idempotency_keys'),
  sessions: danglingIn('sessions'),
};

/** Checks that are not made in ranges: of rows that are few beside those of apps. */
export const checksOfFewRows: ((snapshot: Snapshot) => AsyncIterable<Finding[]>)[] = [
  ...eventlessOthers.map(
    ({ table, type, stream }) =>
      async function* findings(snapshot: Snapshot) {
        const values = { archivedUntil: await archivedUntil(snapshot) };
        for await (const rows of stream(snapshot, values))
          yield rows.map(({ id }) => eventMissing(table, { id, type }));
      },
  ),
  archiveGaps,
];

function danglingIn(inTable: CheckedTable): RangeCheck[] {
  return danglingReferences
    .filter(({ table }) => table === inTable)
    .map(({ table, column, stream }) =>
      check(stream, ({ id }) => ({
        pointer: `/${table}/${id}/${column}`,
        code: 'not_found',
        detail: 'The object that the row refers to is missing.',
      })),
    );
}

const tablesByEvent = { 'app.created': 'apps', 'installation.created': 'installations' } as const;

/** A check for the events of objects that are newer than all archived events. */
function checkEvents<Row>(
  stream: (snapshot: Snapshot, values: KeyRange & { archivedUntil: number }) => AsyncIterable<Row[]>,
  toFinding: (row: Row) => Finding,
): RangeCheck {
  return async function* findings(snapshot, range) {
    const values = { ...range, archivedUntil: await archivedUntil(snapshot) };
    for await (const rows of stream(snapshot, values)) yield rows.map(toFinding);
  };
}

async function archivedUntil(snapshot: Snapshot): Promise<number> {
  return (await findLatestEventArchive(snapshot, {}))?.last_occurred_at ?? Number.MIN_SAFE_INTEGER;
}

function orphan(pointer: string): Finding {
  return { pointer, code: 'not_found', detail: 'The object that the rows are made from is missing.' };
}

function wronglySuspended({ id }: { id: string }): Finding {
  return {
    pointer: `/installations/${id}/disabled_by`,
    code: 'not_allowed',
    detail: 'An installation must be disabled by a suspension if, and only if, the developer of its app is suspended.',
  };
}

function eventMissing(table: string, { id, type }: { id: string; type: string }): Finding {
  return { pointer: `/${table}/${id}`, code: 'event_missing', detail: `The object has no event of type ${type}.` };
}

/** The archives of events are numbered without a gap. */
async function* archiveGaps(snapshot: Snapshot): AsyncGenerator<Finding[], undefined> {
  let previous = 0;
  for await (const rows of streamEventArchives(snapshot, {})) {
    for (const { number } of rows) {
      previous += 1;
      if (number === previous) continue;
      previous = number;
      yield [
        {
          pointer: `/event_archives/${number}`,
          code: 'not_found',
          detail: 'The archive before this one is missing.',
        },
      ];
    }
  }
}

function check<Row>(
  stream: (snapshot: Snapshot, range: KeyRange) => AsyncIterable<Row[]>,
  toFinding: (row: Row) => Finding,
): RangeCheck {
  return async function* findings(snapshot, range) {
    for await (const rows of stream(snapshot, range)) yield rows.map(toFinding);
  };
}
