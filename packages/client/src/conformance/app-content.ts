import { type HttpResponse, jsonAt } from './http-response.ts';
import type { Json } from './interface-promise.ts';

/** What a run changes of an app. */
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

/** The update that brings back a content. No view shows the `logoId` of a logo, so no run changes an app's own one. */
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
