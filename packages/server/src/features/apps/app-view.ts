import type { Registry } from '../../kernel/registry.ts';
import { revisionETag } from '../../kernel/revision.ts';
import { dateTime, optional } from '../../kernel/text.ts';
import type { AppContent, AppRow } from '../../storage/tables.ts';
import { developerRecord } from '../developers/developer.ts';
import type { Installation } from '../installations/installation.ts';
import { approvedContent, contentUnderPaths } from './app-content.ts';
import type { PlatformAppRow } from './app-queries.ts';
import type { DeveloperApp, OperatorApp, PlatformApp } from './app-schemas.ts';
import { type ChangesToApproved, effectiveContent, shownContent, shownSince } from './next-app.ts';

type LogoBase = Pick<Registry, 'logoBaseUrl'>;
/** The parts of the registry that the operator view depends on. */
export type OperatorViewBase = Pick<Registry, 'logoBaseUrl' | 'epoch'>;

/** Interface 2.2: the app as its developer sees it. */
export function developerView(base: LogoBase, app: AppRow): DeveloperApp {
  return {
    id: app.id,
    name: app.name,
    createdAt: dateTime(app.created_at),
    updatedAt: dateTime(app.updated_at),
    reviewStatus: app.review_status,
    installationCount: app.installation_count,
    ...contentView(app),
    ...logoUrl(base, app),
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
  const effective = effectiveContent(app, changesToApproved);
  return {
    ...developerView(base, app),
    developerId: app.developer_id,
    revision: app.revision,
    etag: revisionETag(base, app),
    ...optional({ submittedAt: submittedAt(app), logoId: app.logo_id, rejectionReason: app.rejection_reason }),
    ...(app.suspended_status !== null && { suspendedStatus: app.suspended_status }),
    ...approvedView(base, app),
    current: { ...revisionView(base, app), ...wholeContentView(app) },
    effective: effective && wholeContentView(effective),
  };
}

/** The time of submission of an app that awaits review; null in every other status. */
export function submittedAt(app: AppRow): string | null {
  return app.review_status === 'AWAITING_REVIEW' ? dateTime(app.submitted_at) : null;
}

function approvedView(base: OperatorViewBase, app: AppRow): Pick<OperatorApp, 'approved' | 'changedSinceApproval'> {
  const { approved_revision: revision, approved_revision_nonce: revision_nonce } = app;
  const approved = approvedContent(app);
  if (!approved || revision === null || revision_nonce === null) return {};
  return {
    changedSinceApproval: app.revision !== revision,
    approved: { ...revisionView(base, { revision, revision_nonce }), ...wholeContentView(approved) },
  };
}

function revisionView(base: OperatorViewBase, row: Pick<AppRow, 'revision' | 'revision_nonce'>) {
  return { revision: row.revision, etag: revisionETag(base, row) };
}

/** All of an app's content. */
export function wholeContentView(content: AppContent): NonNullable<OperatorApp['effective']> {
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
