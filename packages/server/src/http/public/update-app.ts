import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenHolder } from '../../registry/authenticate.ts';
import type { Registry } from '../../registry/registry.ts';
import { isRead, updateApp } from '../../registry/update-app.ts';
import { requireKind, requireToken } from '../bearer-auth.ts';
import { strongTags } from '../entity-tag.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { jsonBody, requireJsonBody } from '../json-body.ts';
import type { RateLimits } from '../rate-limit.ts';
import type { Route } from '../route.ts';
import { sendJson } from '../send-json.ts';
import { updateAppOperation } from './update-app-operation.ts';

/** Update App (interface 4.1). */
export function updateAppRoute(registry: Registry, limits: RateLimits): Route {
  return {
    ...updateAppOperation,
    acceptsBody: requireJsonBody,

    async access(request, reply) {
      const holder = await requireToken(registry, request);
      const quota = await limits.updates.take(holder.tokenId, holder.updatesPerMinute);
      reply.headers(quota.headers);
      request.holder = holder;
      // An empty update counts as a read, which only its body tells.
      request.overLimit = quota.refusal;
      requireKind(holder, 'developer');
    },

    async handle(request, reply) {
      const holder = request.holder as TokenHolder;
      const update = jsonBody(request);
      if (isRead(update)) await countAsRead(limits, request, reply);
      if (request.overLimit) throw request.overLimit;

      const ifMatch = request.headers['if-match'];
      const key = idempotencyKey(request.headers['idempotency-key']);
      const { app, revision, isReplayed } = await updateApp(
        registry,
        { actor: holder.tokenId, requestId: request.id },
        {
          appId: (request.params as { id: string }).id,
          developerId: holder.developerId as string,
          update,
          ifRevision: expectedRevisions(registry, ifMatch),
          idempotency: key === undefined ? undefined : { key, condition: ifMatch },
        },
      );
      if (isReplayed) reply.header('idempotency-replayed', 'true');
      reply.headers({ 'cache-control': 'no-store', etag: `"${revisionTag(registry, revision)}"` });
      return sendJson(reply, app);
    },
  };
}

async function countAsRead(limits: RateLimits, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { tokenId, updatesPerMinute, readsPerMinute } = request.holder as TokenHolder;
  const updatesLeft = await limits.updates.giveBack(tokenId, updatesPerMinute);
  const quota = await limits.reads.take(tokenId, readsPerMinute);
  reply.headers({ ...updatesLeft, ...quota.headers });
  request.overLimit = quota.refusal;
}

/** A restored database has another epoch, so that a tag from before never matches. */
function revisionTag({ epoch }: Registry, revision: number): string {
  return `${revision}.${epoch.slice(0, 8)}`;
}

function expectedRevisions(registry: Registry, ifMatch: string | undefined): number[] | undefined {
  const tags = ifMatch === undefined ? null : strongTags(ifMatch);
  return tags?.flatMap((tag) => {
    const revision = Number.parseInt(tag, 10);
    return revisionTag(registry, revision) === tag ? [revision] : [];
  });
}
