import { sql } from 'kysely';
import type { AccessTokenRow, AppRow, DeveloperRow, SettingsRow } from './tables.ts';

/** The columns that authentication needs. */
export const gateTokenColumns = [
  'id',
  'kind',
  'developer_id',
  'scopes',
  'expires_at',
  'revoked_at',
  'updates_per_minute',
  'reads_per_minute',
  'suspended',
] as const;
export type GateToken = Pick<AccessTokenRow, (typeof gateTokenColumns)[number]>;

/** What the text of a revision is made of. */
export type PlatformRevision = Pick<AppRow, 'platform_revision' | 'platform_revision_stamp'> &
  Pick<SettingsRow, 'changes_to_approved'> & { developer_stamp: DeveloperRow['revision_stamp'] };

/** The setting for changes to approved content, as part of a row. */
export const changesToApproved = sql<SettingsRow['changes_to_approved']>`(select changes_to_approved from settings)`.as(
  'changes_to_approved',
);

/** What identifies the developer as an app shows them, as part of the app's row. A subquery is a lookup by key in any plan. */
export const developerStamp = sql<DeveloperRow['revision_stamp']>`(
  select revision_stamp from developers where user_id = apps.developer_id)`.as('developer_stamp');

/** A text that no other platform view of the app has, even after changes were lost and their numbers repeat. */
export function platformRevisionText({
  platform_revision: number,
  platform_revision_stamp: stamp,
  changes_to_approved: mode,
  developer_stamp: developer,
}: PlatformRevision): string {
  return [number, stamp, mode, developer].join('.');
}
