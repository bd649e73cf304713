import type { FastifyReply } from 'fastify';
import { publicOperations } from '../../contract/operations/public-operations.ts';
import { isRead, updateApp } from '../../registry/apps/update-app.ts';
import type { Registry } from '../../registry/registry.ts';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { callerOf } from '../body/idempotency-key.ts';
import { jsonBody, requireJsonBody } from '../body/json-body.ts';
import { expectedRevisions, revisionTag } from '../body/revision-tag.ts';
import { sendJson } from '../body/send-json.ts';
import type { RateLimits } from '../limits/rate-limit.ts';
import { type Route, route } from '../listener/route.ts';
import type { HttpProblem } from '../problem/problem.ts';

/** Update App (interface 4.1). */
export function updateAppRoute(registry: Registry, limits: RateLimits): Route {
  const { method, path, kind } = publicOperations.updateApp;
  return route({
    method,
    path,
    access: { kind },
    acceptsBody: requireJsonBody,

    async count(holder, request, reply) {
      const quota = await limits.updates.take(holder.id, holder.updatesPerMinute);
      reply.headers(quota.headers);
      // An empty update counts as a read, which only its body shows.
      request.raw.exchange.overLimit = quota.problem;
    },

    async handle(request, reply, holder) {
      const { exchange } = request.raw;
      const update = jsonBody(request);
      if (isRead(update)) exchange.overLimit = await countAsRead(limits, holder, reply);
      if (exchange.overLimit) throw exchange.overLimit;

      const ifMatch = request.headers['if-match'];
      const { app, revision } = await updateApp(registry, callerOf(request, reply, holder), {
        appId: request.params.id,
        developerId: holder.developerId,
        update,
        ifRevision: expectedRevisions(registry, ifMatch),
        condition: ifMatch,
      });
      reply.headers({ 'cache-control': 'no-store', etag: revisionTag(registry, revision) });
      return sendJson(reply, app);
    },
  });
}

/** Moves a request from the limit of updates to that of reads. Returns the refusal when that one is exhausted. */
async function countAsRead(
  limits: RateLimits,
  { id, updatesPerMinute, readsPerMinute }: TokenHolder,
  reply: FastifyReply,
): Promise<HttpProblem | null> {
  const updatesLeft = await limits.updates.release(id, updatesPerMinute);
  const quota = await limits.reads.take(id, readsPerMinute);
  reply.headers({ ...updatesLeft, ...quota.headers });
  return quota.problem;
}
