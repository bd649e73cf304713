import { dateTime } from '../../../kernel/date-time.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { revisionETag } from '../../../kernel/revision.ts';
import type { AppContent, AppRow } from '../../../storage/tables.ts';
import { appContentFields } from '../app-content-fields.ts';
import { contentView, optional } from '../app-view.ts';
import type { AppRevision as FoundRevision } from './find-revision.ts';
import type { AppRevision, ListedRevision } from './revision.ts';
import type { WalkedRevision } from './walk-revisions.ts';

type Base = Pick<Registry, 'epoch'>;

/** A revision with its content. */
export function revisionView(base: Base, app: AppRow, found: FoundRevision): AppRevision {
  const { content, nextAt } = found;
  return {
    ...fieldsOf(base, app, found),
    ...(nextAt !== null && { replacedAt: dateTime(nextAt) }),
    name: content.name,
    ...contentView(content),
    ...optional({ logoId: content.logo_id }),
  };
}

/** A revision in a list. */
export function listedRevisionView(
  base: Base,
  app: AppRow,
  { event, ...walked }: WalkedRevision<Partial<AppContent>>,
): ListedRevision {
  const made = { at: event?.at ?? null, actor: event?.actor ?? null, eventId: event?.id ?? null };
  const changed = event && !event.isCreation ? Object.keys(event.before) : null;
  return {
    ...fieldsOf(base, app, { ...walked, ...made }),
    ...(changed && {
      changed: appContentFields.filter(({ column }) => changed.includes(column)).map(({ path }) => path),
    }),
  };
}

function fieldsOf(base: Base, app: AppRow, found: Omit<FoundRevision, 'content' | 'logoId'>) {
  const { revision, stamp, at, actor, eventId, nextAt } = found;
  return {
    revision,
    ...(stamp !== null && { etag: revisionETag(base, { revision, revision_stamp: stamp }) }),
    ...(at !== null && { createdAt: dateTime(at) }),
    ...optional({ actor, eventId }),
    isCurrent: nextAt === null && revision === app.revision,
    isApproved: revision === app.approved_revision,
  };
}
