import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRead, updateApp } from '../../registry/apps/update-app.ts';
import type { Registry } from '../../registry/registry.ts';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { callerOf } from '../body/idempotency-key.ts';
import { jsonBody, requireJsonBody } from '../body/json-body.ts';
import { expectedRevisions, revisionTag } from '../body/revision-tag.ts';
import { sendJson } from '../body/send-json.ts';
import type { RateLimits } from '../limits/rate-limit.ts';
import type { Route } from '../listener/route.ts';
import { updateAppOperation } from './update-app-operation.ts';

/** Update App (interface 4.1). */
export function updateAppRoute(registry: Registry, limits: RateLimits): Route {
  return {
    ...updateAppOperation,
    acceptsBody: requireJsonBody,

    access: { kind: 'developer' },

    async count(holder, request, reply) {
      const quota = await limits.updates.take(holder.id, holder.updatesPerMinute);
      reply.headers(quota.headers);
      // An empty update counts as a read, which only its body tells.
      request.overLimit = quota.refusal;
    },

    async handle(request, reply) {
      const holder = request.holder as TokenHolder;
      const update = jsonBody(request);
      if (isRead(update)) await countAsRead(limits, request, reply);
      if (request.overLimit) throw request.overLimit;

      const ifMatch = request.headers['if-match'];
      const { app, revision } = await updateApp(registry, callerOf(request, reply), {
        appId: (request.params as { id: string }).id,
        developerId: holder.developerId as string,
        update,
        ifRevision: expectedRevisions(registry, ifMatch),
        condition: ifMatch,
      });
      reply.headers({ 'cache-control': 'no-store', etag: revisionTag(registry, revision) });
      return sendJson(reply, app);
    },
  };
}

async function countAsRead(limits: RateLimits, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { id, updatesPerMinute, readsPerMinute } = request.holder as TokenHolder;
  const updatesLeft = await limits.updates.release(id, updatesPerMinute);
  const quota = await limits.reads.take(id, readsPerMinute);
  reply.headers({ ...updatesLeft, ...quota.headers });
  request.overLimit = quota.refusal;
}
