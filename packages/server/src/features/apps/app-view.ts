import type { Registry } from '../../kernel/registry.ts';
import { revisionETag } from '../../kernel/revision.ts';
import { dateTime, optional } from '../../kernel/text.ts';
import type { AppContent, AppRow } from '../../storage/tables.ts';
import { developerRecord } from '../developers/developer.ts';
import type { Installation } from '../installations/installation.ts';
import { approvedContent, changedContentColumns, contentData, contentPath, contentUnderPaths } from './app-content.ts';
import type { PlatformAppRow } from './app-queries.ts';
import type { AppSummary, DeveloperApp, ListView, OperatorApp, PlatformApp } from './app-schemas.ts';
import { type ChangesToApproved, effectiveContent, shownContent, shownSince } from './next-app.ts';

type LogoBase = Pick<Registry, 'logoBaseUrl'>;
/** The parts of the registry that the operator view depends on. */
export type OperatorViewBase = Pick<Registry, 'logoBaseUrl' | 'epoch'>;

/** Interface 2.2: the app as its developer sees it. */
export function developerView(base: LogoBase, app: AppRow): DeveloperApp {
  return { ...stateView(app), ...contentView(app), ...logoUrl(base, app) };
}

/** What every view of an app has but that of the platform. */
function stateView(app: AppRow) {
  return {
    id: app.id,
    name: app.name,
    createdAt: dateTime(app.created_at),
    updatedAt: dateTime(app.updated_at),
    reviewStatus: app.review_status,
    installationCount: app.installation_count,
  };
}

/** Interface 2.3: the app as the platform sees it. */
export function platformView(base: LogoBase, app: PlatformAppRow, installations: Installation[]): PlatformApp {
  const shown = shownContent(app, app.changes_to_approved);
  return {
    id: app.id,
    name: shown.name,
    createdAt: dateTime(app.created_at),
    updatedAt: dateTime(shownSince(app)),
    reviewStatus: app.review_status,
    developer: developerRecord({ ...app, user_id: app.developer_user_id }),
    installations,
    ...logoUrl(base, shown),
  };
}

/** The app as operators see it. */
export function operatorView(base: OperatorViewBase, app: AppRow, changesToApproved: ChangesToApproved): OperatorApp {
  return {
    ...developerView(base, app),
    ...reviewedView(base, app),
    revision: app.revision,
    ...optional({ logoId: app.logo_id, rejectionReason: app.rejection_reason }),
    ...approvedDifference(base, app),
    effective: effectiveSource(app, changesToApproved),
  };
}

/** The app in a list for operators, without its content. */
function appSummary(base: OperatorViewBase, app: AppRow, changesToApproved: ChangesToApproved): AppSummary {
  return {
    ...stateView(app),
    ...logoUrl(base, app),
    ...reviewedView(base, app),
    effective: effectiveSource(app, changesToApproved),
  };
}

/** The app in a list that shows a summary of each unless its query says otherwise. */
export function listedView(
  base: OperatorViewBase,
  app: AppRow,
  { changesToApproved, view = 'summary' }: { changesToApproved: ChangesToApproved; view?: ListView | undefined },
): OperatorApp | AppSummary {
  return (view === 'full' ? operatorView : appSummary)(base, app, changesToApproved);
}

/** The time of submission of an app that awaits review; null in every other status. */
export function submittedAt(app: AppRow): string | null {
  return app.review_status === 'AWAITING_REVIEW' ? dateTime(app.submitted_at) : null;
}

function reviewedView(base: OperatorViewBase, app: AppRow) {
  return {
    developerId: app.developer_id,
    etag: revisionETag(base, app),
    ...optional({ submittedAt: submittedAt(app) }),
    ...(app.suspended_status !== null && { suspendedStatus: app.suspended_status }),
    ...(approvedRevision(app) !== null && { changedSinceApproval: isChangedSinceApproval(app) }),
  };
}

function isChangedSinceApproval(app: AppRow): boolean {
  const revision = approvedRevision(app);
  return revision !== null && app.revision !== revision;
}

/** The revision of the stored approved content. */
function approvedRevision({ approved_content, approved_revision }: AppRow): number | null {
  return approved_content === null ? null : approved_revision;
}

function approvedDifference(base: OperatorViewBase, app: AppRow): Pick<OperatorApp, 'approved'> {
  const { approved_revision: revision, approved_revision_nonce: revision_nonce } = app;
  const content = approvedContent(app);
  if (!content || revision === null || revision_nonce === null || !isChangedSinceApproval(app)) return {};
  const etag = revisionETag(base, { revision, revision_nonce });
  return { approved: { revision, etag, ...contentData(content, changedContentColumns(app, content)) } };
}

/** Which content a platform may act on: the view has both, and no copy of either. */
function effectiveSource(app: AppRow, changesToApproved: ChangesToApproved): OperatorApp['effective'] {
  const effective = effectiveContent(app, changesToApproved);
  if (!effective) return null;
  const isApproved = changesToApproved === 'hold' && isChangedSinceApproval(app);
  const source = (isApproved && approvedContent(app)) || app;
  const cleared = changedContentColumns(source, effective).map(contentPath);
  return { source: isApproved ? 'approved' : 'current', ...(cleared.length > 0 && { cleared }) };
}

/** All of an app's content. */
export function wholeContentView(
  content: AppContent,
): Pick<OperatorApp, 'name' | 'logoId' | 'listingInfo' | 'oauthInfo'> {
  return { name: content.name, ...contentView(content), ...optional({ logoId: content.logo_id }) };
}

/** The groups of the content; a field without a value is left out. */
export function contentView(content: AppContent): Pick<DeveloperApp, 'listingInfo' | 'oauthInfo'> {
  const { listingInfo, oauthInfo } = contentUnderPaths<never>(({ column }) => content[column] ?? undefined);
  return { listingInfo: { backgroundColor: content.background_color, ...listingInfo }, oauthInfo: { ...oauthInfo } };
}

function logoUrl({ logoBaseUrl }: LogoBase, app: { logo_id: string | null }): { logoUrl?: string } {
  return app.logo_id === null ? {} : { logoUrl: `${logoBaseUrl}/${app.logo_id}` };
}
