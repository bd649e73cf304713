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
  listingInfo?: ListingInfoUpdate | undefined;
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
  callbackUrl?: string | null | undefined;
}
