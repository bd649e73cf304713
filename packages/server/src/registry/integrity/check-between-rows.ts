import { findLatestEventArchive, streamEventArchives } from '../../storage/queries/event-archives.ts';
import {
  danglingReferences,
  eventlessObjects,
  streamHalfDeleted,
  streamMiscounted,
  streamSharedClaims,
  streamSharedWorkspaces,
  streamWrongClaims,
  streamWronglySuspendedApps,
  streamWronglySuspendedInstallations,
  streamWronglySuspendedTokens,
  streamWrongMarks,
} from '../../storage/queries/invariants.ts';
import type { Snapshot } from '../../storage/snapshot.ts';
import type { Finding } from './check-row.ts';

/** Checks across rows: each queries the rows that are inconsistent with others. */
export const checksBetweenRows = [
  check(streamMiscounted, ({ id, installation_count: count, installations }) => ({
    pointer: `/apps/${id}/installation_count`,
    code: 'wrong_count',
    detail: `The count is ${count}, but the app has ${installations} installations.`,
  })),
  check(streamSharedClaims, ({ name_claim: name }) => ({
    pointer: '/apps',
    code: 'name_taken',
    detail: `More than one app claims the name "${name}".`,
  })),
  check(streamSharedWorkspaces, ({ app_id: app, workspace_id: workspace }) => ({
    pointer: `/apps/${app}`,
    code: 'already_exists',
    detail: `The app is installed in ${workspace} more than once.`,
  })),
  check(streamHalfDeleted, ({ id }) => ({
    pointer: `/deleted_apps/${id}`,
    code: 'already_exists',
    detail: 'The app exists, and is deleted too.',
  })),
  check(streamWrongMarks, (mark) => ({
    pointer: `/revoked_installations/${mark.id}`,
    code: 'not_allowed',
    detail: `The installation cannot wait for an approval: ${whyNot(mark)}.`,
  })),
  check(streamWrongClaims, ({ name_key: name, app_id: app, is_missing: isMissing }) => ({
    pointer: `/apps/${app}/name_claim`,
    code: isMissing ? 'not_found' : 'not_allowed',
    detail: `The app ${isMissing ? 'lacks its claim' : 'has a claim'} to the name "${name}".`,
  })),
  check(streamWronglySuspendedApps, ({ id }) => ({
    pointer: `/apps/${id}/suspended_status`,
    code: 'not_allowed',
    detail: 'The app and its developer are not both suspended.',
  })),
  check(streamWronglySuspendedTokens, ({ id }) => ({
    pointer: `/access_tokens/${id}/suspended`,
    code: 'not_allowed',
    detail: 'The token and its developer are not both suspended.',
  })),
  check(streamWronglySuspendedInstallations, ({ id }) => ({
    pointer: `/installations/${id}/disabled_by`,
    code: 'not_allowed',
    detail: 'The installation is disabled by a suspension exactly when the developer of its app is suspended.',
  })),
  ...danglingReferences.map(({ table, column, stream }) =>
    check(stream, ({ id }) => ({
      pointer: `/${table}/${id}/${column}`,
      code: 'not_found',
      detail: 'The object that the row refers to is missing.',
    })),
  ),
  ...eventlessObjects.map(
    ({ table, type, stream }) =>
      async function* findings(snapshot: Snapshot): AsyncGenerator<Finding[], undefined> {
        const archivedUntil = (await findLatestEventArchive(snapshot, {}))?.last_occurred_at ?? Number.MIN_SAFE_INTEGER;
        for await (const rows of stream(snapshot, { archivedUntil })) {
          yield rows.map(({ id }) => ({
            pointer: `/${table}/${id}`,
            code: 'event_missing',
            detail: `The object has no event of type ${type}.`,
          }));
        }
      },
  ),
  archiveGaps,
];

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
  stream: (snapshot: Snapshot, values: object) => AsyncIterable<Row[]>,
  toFinding: (row: Row) => Finding,
) {
  return async function* findings(snapshot: Snapshot): AsyncGenerator<Finding[], undefined> {
    for await (const rows of stream(snapshot, {})) yield rows.map(toFinding);
  };
}

function whyNot(mark: { app_id: string; installed_app_id: string; enabled: 0 | 1 }): string {
  if (mark.app_id !== mark.installed_app_id) return 'it belongs to another app';
  return mark.enabled === 1 ? 'it is enabled' : 'its app is APPROVED';
}
