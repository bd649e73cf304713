import { newStamp } from '../../kernel/revision.ts';
import type { AppRow } from '../../storage/tables.ts';

type PlatformRevision = Pick<AppRow, 'platform_revision' | 'platform_revision_stamp'>;
type Revision = PlatformRevision & Pick<AppRow, 'revision' | 'revision_stamp'>;

/** The revisions of a new app. */
export function firstRevision(): Revision {
  return nextRevision({ revision: 0, platform_revision: 0 });
}

/** The revisions after a change of the content, which the platform view shows too. */
function nextRevision(app: Pick<AppRow, 'revision' | 'platform_revision'>): Revision {
  return { revision: app.revision + 1, revision_stamp: newStamp(), ...nextPlatformRevision(app) };
}

/** The revision after a change of anything else in the platform view. */
export function nextPlatformRevision({
  platform_revision: number,
}: Pick<AppRow, 'platform_revision'>): PlatformRevision {
  return { platform_revision: number + 1, platform_revision_stamp: newStamp() };
}
