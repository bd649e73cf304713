/**
 * An app as its developer sees it. A newer registry may send more fields.
 *
 * @example
 * const app: DeveloperApp = await client.developer.apps.current(id);
 * console.log(app.name, app.installationCount);
 */
export interface DeveloperApp {
  /** `app_…`. */
  id: string;
  /** Unique in the registry, regardless of case. */
  name: string;
  /** ISO 8601 in UTC, with milliseconds, like all times. */
  createdAt: string;
  /** Moves with the content and the review status, never with installations, and never backwards. */
  updatedAt: string;
  /** Where the app is in review. A platform lets customers use `APPROVED` apps only. */
  reviewStatus: ReviewStatus;
  /** Of enabled and disabled ones. */
  installationCount: number;
  /** How the app is shown in a marketplace. */
  listingInfo: ListingInfo;
  /** `{}` if it contains no URL. */
  oauthInfo: OauthInfo;
  /** A PNG that never changes: each logo has its own URL. */
  logoUrl?: string;
}

/**
 * The review status of an app. A newer registry may send another one: handle unknown values.
 *
 * @example
 * const isLive = (status: ReviewStatus) => status === 'APPROVED';
 * console.log(isLive((await client.developer.apps.current(id)).reviewStatus));
 */
export type ReviewStatus = 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';

/**
 * An app as the platform sees it. A newer registry may send more fields.
 *
 * @example
 * const app: PlatformApp = await client.platform.apps.get(id);
 * console.log(app.developer.email, app.installations.length);
 */
export interface PlatformApp {
  /** `app_…`. */
  id: string;
  /** Unique in the registry, regardless of case. */
  name: string;
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string;
  /** Moves with the content and the review status, never with installations, and never backwards. */
  updatedAt: string;
  /** Where the app is in review. A platform lets customers use `APPROVED` apps only. */
  reviewStatus: ReviewStatus;
  /** Who publishes it. */
  developer: Developer;
  /** All of them, enabled and disabled, by `createdAt` and then by `id`. */
  installations: Installation[];
  /** A PNG that never changes: each logo has its own URL. Absent if the app has no logo. */
  logoUrl?: string;
}

/**
 * How an app is shown in a marketplace.
 *
 * @example
 * const { listingInfo }: { listingInfo: ListingInfo } = await client.developer.apps.current(id);
 * console.log(listingInfo.backgroundColor, listingInfo.shortDescription ?? '');
 */
export interface ListingInfo {
  /** `#rgb` or `#rrggbb`. */
  backgroundColor: string;
  /** A single line of up to 500 characters. */
  shortDescription?: string;
  /** Up to 4,000 characters, in several lines. */
  longDescription?: string;
}

/**
 * The URLs of the sign-in flow of an app.
 *
 * @example
 * const { oauthInfo }: { oauthInfo: OauthInfo } = await client.developer.apps.current(id);
 * console.log(oauthInfo.callbackUrl ?? 'no callback URL yet');
 */
export interface OauthInfo {
  /** Where a user starts to sign in. */
  loginUrl?: string;
  /** Where the platform sends the user after authorisation. */
  callbackUrl?: string;
}

/**
 * Who publishes an app.
 *
 * @example
 * const { developer }: { developer: Developer } = await client.platform.apps.get(id);
 * console.log(developer.firstName ?? developer.email);
 */
export interface Developer {
  /** The user id of the platform. */
  userId: string;
  /** 3 to 254 characters with one `@`. */
  email: string;
  /** Up to 100 characters. */
  firstName?: string;
  /** Up to 100 characters. */
  lastName?: string;
}

/**
 * One app in one workspace.
 *
 * @example
 * for await (const installation of client.platform.apps.installations(id)) {
 *   const { workspaceId, enabled }: Installation = installation;
 *   console.log(workspaceId, enabled);
 * }
 */
export interface Installation {
  /** `installation_…`. */
  id: string;
  /** The installed app. */
  appId: string;
  /** The workspace id of the platform. */
  workspaceId: string;
  /** Who installed it. */
  userId: string;
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string;
  /** Whether the workspace can use the app. */
  enabled: boolean;
}

/**
 * What an update changes. A field that is absent or `undefined` keeps its value; null removes it, and is allowed only
 * where there is something to remove.
 *
 * @example
 * const update: AppUpdate = { name: 'Invoice Sync', listingInfo: { longDescription: null } };
 * await client.developer.apps.update(id, update);
 */
export interface AppUpdate {
  /** 1 to 100 characters on one line, unique in the registry. */
  name?: string | undefined;
  /** The id of a logo of the same developer. */
  logoId?: string | null | undefined;
  /** How the app is shown in a marketplace. Absent fields keep their values. */
  listingInfo?: ListingInfoUpdate | undefined;
  /** The URLs of the sign-in flow. Absent fields keep their values. */
  oauthInfo?: OauthInfoUpdate | undefined;
}

/**
 * What an update changes of the listing; the same rules as in {@link AppUpdate}.
 *
 * @example
 * const listingInfo: ListingInfoUpdate = { backgroundColor: '#0b5fff', shortDescription: null };
 * await client.developer.apps.update(id, { listingInfo });
 */
export interface ListingInfoUpdate {
  /** 1 to 500 characters on one line. */
  shortDescription?: string | null | undefined;
  /** 1 to 4,000 characters. */
  longDescription?: string | null | undefined;
  /** `#rgb` or `#rrggbb`. */
  backgroundColor?: string | undefined;
}

/**
 * What an update changes of the URLs of the sign-in flow; the same rules as in {@link AppUpdate}.
 *
 * @example
 * const oauthInfo: OauthInfoUpdate = { callbackUrl: 'https://invoice-sync.example/oauth/callback' };
 * await client.developer.apps.update(id, { oauthInfo });
 */
export interface OauthInfoUpdate {
  /** `https:`, or `http:` on this machine. */
  loginUrl?: string | null | undefined;
  /** `https:`, or `http:` on this machine. */
  callbackUrl?: string | null | undefined;
}
