import { getAppRevision } from '../../features/apps/get-app.ts';
import { publicOperations } from '../../features/apps/public-operations.ts';
import type { Registry } from '../../kernel/registry.ts';
import { acceptedCodings, encodeStream } from '../body/content-coding.ts';
import type { RateLimits } from '../limits/rate-limit.ts';
import type { Exchange, PreparedResponse } from '../listener/exchange.ts';
import { type LeanRoute, leanRoute } from '../listener/lean-route.ts';
import { AppResponses, bodyFields, notModified, requireMatch, viewTag } from './app-response.ts';
import type { AppStreams } from './get-app-stream.ts';

export interface GetAppOptions {
  limits: RateLimits;
  streams: AppStreams;
}

/** Get App (interface 4.2). */
export function getAppRoute(registry: Registry, { limits, streams }: GetAppOptions): LeanRoute {
  const responses = new AppResponses(registry);
  const { method, path, kind } = publicOperations.getApp;
  return leanRoute({
    method,
    path,
    access: { kind },

    count: ({ id, readsPerMinute }) => limits.reads.take(id, readsPerMinute),

    async handle(exchange, id, admitted) {
      const found = getAppRevision(registry, id);
      // Awaited only once nothing else refuses the request.
      found.catch(() => {});
      await admitted;
      if (exchange.quota?.problem) throw exchange.quota.problem;
      const revision = await found;
      const response = await responses.make(id, revision, exchange.request.headers);
      return response ?? streamed(exchange, id, revision);
    },
  });

  /** An app whose list is too long to be cached. */
  async function streamed({ request }: Exchange, id: string, revision: string): Promise<PreparedResponse> {
    const { headers, method } = request;
    const accepted = acceptedCodings(headers['accept-encoding']);
    const tag = viewTag(registry, id, revision);
    requireMatch(tag, headers, accepted[0]);
    const known = notModified(tag, headers, accepted);
    if (known) return known;
    if (method === 'HEAD') {
      return { status: 200, fields: bodyFields(tag, accepted[0]), body: null };
    }
    // It may have changed since its revision was looked up.
    const { text, revision: openedRevision } = await streams.open(id);
    const openedTag = viewTag(registry, id, openedRevision);
    try {
      requireMatch(openedTag, headers, accepted[0]);
    } catch (problem) {
      text.destroy();
      throw problem;
    }
    const { body, coding } = encodeStream(text, accepted);
    return { status: 200, fields: bodyFields(openedTag, coding), body };
  }
}
