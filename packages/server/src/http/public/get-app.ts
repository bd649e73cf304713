import { createHash } from 'node:crypto';
import { getApp, getAppRevision } from '../../registry/get-app.ts';
import type { Registry } from '../../registry/registry.ts';
import { requireKind, requireToken } from '../bearer-auth.ts';
import { matchesWeakly } from '../entity-tag.ts';
import type { RateLimits } from '../rate-limit.ts';
import type { Route } from '../route.ts';
import { sendJson } from '../send-json.ts';
import { getAppOperation } from './get-app-operation.ts';

/** Raised when the same app is shown differently by a new release. */
const viewVersion = 1;

/** Get App (interface 4.2). */
export function getAppRoute(registry: Registry, limits: RateLimits): Route {
  return {
    ...getAppOperation,

    async access(request, reply) {
      const holder = await requireToken(registry, request);
      const quota = await limits.reads.take(holder.tokenId);
      reply.headers(quota.headers);
      if (quota.refusal) throw quota.refusal;
      requireKind(holder, 'platform');
    },

    async handle(request, reply) {
      const { id } = request.params as { id: string };
      const known = request.headers['if-none-match'];
      reply.header('cache-control', 'private, no-cache').header('vary', 'Accept-Encoding');
      if (known !== undefined) {
        const tag = viewTag(registry, id, await getAppRevision(registry, id));
        if (matchesWeakly(known, tag)) return reply.code(304).header('etag', `"${tag}"`).send();
      }
      const { app, revision } = await getApp(registry, id);
      reply.header('etag', `"${viewTag(registry, id, revision)}"`);
      return sendJson(reply, app);
    },
  };
}

/** Stands for the whole answer without making it (decision 26). */
function viewTag({ epoch, logoBaseUrl }: Registry, id: string, revision: number): string {
  return createHash('sha256')
    .update(JSON.stringify([viewVersion, epoch, logoBaseUrl, id, revision]))
    .digest('base64url')
    .slice(0, 22);
}
