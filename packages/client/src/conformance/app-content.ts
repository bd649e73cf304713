import { type HttpResponse, jsonAt } from './http-response.ts';
import type { Json } from './interface-guarantee.ts';

/** The content of an app that a run changes. */
const places = [
  '/name',
  '/listingInfo/backgroundColor',
  '/listingInfo/shortDescription',
  '/listingInfo/longDescription',
  '/oauthInfo/loginUrl',
  '/oauthInfo/callbackUrl',
  '/logoUrl',
] as const;

export type AppContent = Record<(typeof places)[number], Json>;

/** The content that a developer view shows; null stands for no value. */
export function contentOf(view: HttpResponse): AppContent {
  return Object.fromEntries(places.map((place) => [place, jsonAt(view, place) ?? null])) as AppContent;
}

/** The update that restores this content. No view shows the `logoId`, so no run changes an app's own logo. */
export function updateTo(content: AppContent): { [field: string]: Json } {
  return {
    name: content['/name'],
    ...(content['/logoUrl'] === null && { logoId: null }),
    listingInfo: {
      backgroundColor: content['/listingInfo/backgroundColor'],
      shortDescription: content['/listingInfo/shortDescription'],
      longDescription: content['/listingInfo/longDescription'],
    },
    oauthInfo: { loginUrl: content['/oauthInfo/loginUrl'], callbackUrl: content['/oauthInfo/callbackUrl'] },
  };
}
