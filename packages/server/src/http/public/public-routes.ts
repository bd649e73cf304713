import type { Registry } from '../../kernel/registry.ts';
import { RateLimit, StoredBytes } from '../limits/rate-limit.ts';
import type { LeanRoute } from '../listener/lean-route.ts';
import { logoRoute } from '../listener/logo-route.ts';
import type { Route } from '../listener/route.ts';
import { documentRoute } from '../openapi/document-route.ts';
import { docsRoute } from './docs-page.ts';
import { getAppRoute } from './get-app.ts';
import { AppStreams } from './get-app-stream.ts';
import { type PublicDocumentOptions, publicDocument } from './public-document.ts';
import { updateAppRoute } from './update-app.ts';

export interface PublicRouteOptions extends PublicDocumentOptions {
  bodyBytesMax: number;
  updatesPerMinute: number;
  readsPerMinute: number;
  storedBytesPerDeveloperPerDay: number;
  /** Long lists that are sent at one time. */
  streamsAtOnceMax: number;
}

/** The public listener: the two operations of the interface, and what publishes them (decision 1). */
export function publicRoutes(registry: Registry, options: PublicRouteOptions): (Route | LeanRoute)[] {
  const limits = {
    updates: new RateLimit('updates', options.updatesPerMinute),
    reads: new RateLimit('reads', options.readsPerMinute),
  };
  const storedBytes = new StoredBytes(options.storedBytesPerDeveloperPerDay);
  return [
    updateAppRoute(registry, { limits, storedBytes, bodyBytesMax: options.bodyBytesMax }),
    getAppRoute(registry, { limits, streams: new AppStreams(registry, options.streamsAtOnceMax) }),
    logoRoute(registry),
    docsRoute(options),
    documentRoute(() => publicDocument(options)),
  ];
}
