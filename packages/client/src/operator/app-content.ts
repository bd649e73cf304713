import type { ApprovedDifference, EffectiveSource, ListingInfo, OauthInfo } from './types.ts';

/**
 * The content of an app, as its developer edits it.
 *
 * @example
 * const hasCallback = ({ oauthInfo }: AppContent) => oauthInfo.callbackUrl !== undefined;
 * console.log(hasCallback(await operator.apps.get(appId)));
 */
export interface AppContent {
  /** The name. */
  name: string;
  /** The id of the logo. */
  logoId?: string;
  /** How it is shown in a marketplace. */
  listingInfo: ListingInfo;
  /** The URLs of its sign-in flow. */
  oauthInfo: OauthInfo;
}

/**
 * The content of an app at one of its revisions.
 *
 * @example
 * const describe = ({ revision, name }: AppContentAtRevision) => `revision ${revision}: ${name}`;
 * const approved = approvedContent(await operator.apps.get(appId));
 * console.log(approved && describe(approved));
 */
export interface AppContentAtRevision extends AppContent {
  /** The number of the revision. */
  revision: number;
  /** The `ETag` of the revision. */
  etag: string;
}

/**
 * An app whose contents can be determined: any view of it but a summary.
 *
 * @example
 * const nameOf = (app: AppWithContents) => (effectiveContent(app) ?? app).name;
 * console.log(nameOf(await operator.apps.get(appId)));
 */
export interface AppWithContents extends AppContentAtRevision {
  /** Absent if the app was never approved. */
  changedSinceApproval?: boolean;
  /** How the approved content differs from the current one. */
  approved?: ApprovedDifference;
  /** Which content a platform may act on. Absent for a deleted app, of which nothing is effective. */
  effective?: EffectiveSource;
}

/**
 * The last approved content of an app, all of it; undefined if the app was never approved. Views have only its fields that
 * differ from the current content.
 *
 * @example
 * const app = await operator.apps.get(appId);
 * console.log(approvedContent(app)?.name, 'is now', app.name);
 */
export function approvedContent(app: AppWithContents): AppContentAtRevision | undefined {
  if (app.changedSinceApproval === undefined) return undefined;
  const { approved } = app;
  if (!approved) return contentOf(app);
  const current = contentOf(app);
  const logoId = approved.logoId === undefined ? current.logoId : approved.logoId;
  return {
    revision: approved.revision,
    etag: approved.etag,
    name: approved.name ?? current.name,
    ...(logoId && { logoId }),
    listingInfo: patched(current.listingInfo, approved.listingInfo),
    oauthInfo: patched(current.oauthInfo, approved.oauthInfo),
  };
}

/**
 * The content that a platform may act on; null unless the app is `APPROVED`. It is the current or the approved content, as
 * the registry is set, without URLs that its developer has removed since.
 *
 * @example
 * const effective = effectiveContent(await operator.apps.get(appId));
 * console.log(effective?.oauthInfo.callbackUrl);
 */
export function effectiveContent(app: AppWithContents): AppContent | null {
  const { effective } = app;
  if (!effective) return null;
  const content = (effective.source === 'approved' && approvedContent(app)) || app;
  const { name, logoId, listingInfo, oauthInfo } = contentOf(content);
  const cleared = (effective.cleared ?? []).map((path) => path.replace('oauthInfo.', ''));
  const inEffect = Object.entries(oauthInfo).filter(([field]) => !cleared.includes(field));
  return { name, ...(logoId !== undefined && { logoId }), listingInfo, oauthInfo: Object.fromEntries(inEffect) };
}

function contentOf({
  revision,
  etag,
  name,
  logoId,
  listingInfo,
  oauthInfo,
}: AppContentAtRevision): AppContentAtRevision {
  return { revision, etag, name, ...(logoId !== undefined && { logoId }), listingInfo, oauthInfo };
}

/** The fields with a value after a merge patch (RFC 7396). */
function patched<Fields extends object>(fields: Fields, patch: object = {}): Fields {
  const merged = Object.entries({ ...fields, ...patch });
  return Object.fromEntries(merged.filter(([, value]) => value !== null)) as Fields;
}
