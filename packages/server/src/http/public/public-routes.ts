import type { Registry } from '../../kernel/registry.ts';
import { RateLimit, StoredBytes } from '../limits/rate-limit.ts';
import { logoRoute } from '../listener/logo-route.ts';
import type { NodeRoute } from '../listener/request-context.ts';
import type { Route } from '../listener/route.ts';
import { documentRoute, readReference, referenceRoute } from '../openapi/reference-page.ts';
import { AppStreams, getAppRoute } from './get-app-route.ts';
import { type PublicDocumentOptions, publicDocument } from './public-document.ts';
import { updateAppRoute } from './update-app-route.ts';

interface PublicRouteOptions extends PublicDocumentOptions {
  bodyBytesMax: number;
  updatesPerMinute: number;
  readsPerMinute: number;
  storedBytesPerDeveloperPerDay: number;
  /** Long lists that are sent at one time. */
  streamsAtOnceMax: number;
  /** How long one may take. */
  streamMsMax: number;
}

/** The public listener: the two operations of the interface, and what publishes them. */
export function publicRoutes(registry: Registry, options: PublicRouteOptions): (Route | NodeRoute)[] {
  const limits = {
    updates: new RateLimit('updates', options.updatesPerMinute),
    reads: new RateLimit('reads', options.readsPerMinute),
  };
  const streams = new AppStreams(registry, { atOnceMax: options.streamsAtOnceMax, msMax: options.streamMsMax });
  const storedBytes = new StoredBytes(options.storedBytesPerDeveloperPerDay);
  return [
    updateAppRoute(registry, { limits, storedBytes, bodyBytesMax: options.bodyBytesMax }),
    getAppRoute(registry, { limits, streams }),
    logoRoute(registry),
    docsRoute(options),
    documentRoute(() => publicDocument(options)),
  ];
}

const exampleBaseUrl = 'https://apps.example.com';

/** The published reference as a page, where each problem code has its anchor. */
function docsRoute({ baseUrl }: { baseUrl: string }): Route {
  return referenceRoute({
    title: 'the interface',
    markdown: () => readReference('interface.md').replaceAll(exampleBaseUrl, baseUrl),
  });
}
