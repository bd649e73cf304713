import type { IncomingHttpHeaders } from 'node:http';
import { publicOperations } from '../../contract/operations/public-operations.ts';
import { isRead, updateApp } from '../../registry/apps/update-app.ts';
import { Failure } from '../../registry/failure.ts';
import type { Registry } from '../../registry/registry.ts';
import { StoredBytesExceeded } from '../../registry/stored-bytes.ts';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { HolderSuspended } from '../auth/bearer-auth.ts';
import { callerOf } from '../body/idempotency-key.ts';
import { jsonBody, requireJsonBody } from '../body/json-body.ts';
import { revisionCondition, withCurrentTag } from '../body/revision-tag.ts';
import { sendJson } from '../body/send-json.ts';
import type { Quota, RateLimits } from '../limits/rate-limit.ts';
import type { Exchange } from '../listener/exchange.ts';
import { type Route, route } from '../listener/route.ts';

/** Update App (interface 4.1). */
export function updateAppRoute(registry: Registry, limits: RateLimits): Route {
  const { method, path, kind } = publicOperations.updateApp;
  return route({
    method,
    path,
    access: { kind },
    acceptsBody: requireJsonBody,

    count(holder, request, reply) {
      const quota = limits.updates.take(holder.id, holder.updatesPerMinute);
      reply.headers(quota.headers);
      // Refused only once the body has shown that it is no empty update, which counts as a read.
      request.raw.exchange.quota = quota;
    },

    async handle(request, reply, holder) {
      const { exchange } = request.raw;
      const update = jsonBody(request);
      if (isRead(update)) reply.headers(countAsRead(limits, exchange, holder));
      if (exchange.quota?.problem) throw exchange.quota.problem;

      const caller = callerOf(request, reply, holder);
      const input = {
        appId: request.params.id,
        developerId: holder.developerId,
        update,
        ...revisionCondition(request.headers),
        condition: conditionOf(request.headers),
      };
      const { app, etag } = await withCurrentTag(() => updateApp(registry, caller, input)).catch((error: unknown) => {
        // A request that gets a 429 uses no quota.
        if (error instanceof StoredBytesExceeded) exchange.quota?.release();
        if (error instanceof Failure && error.code === 'developer_suspended') throw new HolderSuspended();
        throw error;
      });
      reply.headers({ 'cache-control': 'no-store', etag });
      return sendJson(reply, app);
    },
  });
}

/** As earlier releases stored it, unless there is an If-None-Match, which they ignored. */
function conditionOf({ 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: IncomingHttpHeaders) {
  return ifNoneMatch === undefined ? ifMatch : [ifMatch ?? null, ifNoneMatch];
}

/** Moves a request from the limit of updates to that of reads. Returns the updated fields. */
function countAsRead({ reads }: RateLimits, exchange: Exchange, { id, readsPerMinute }: TokenHolder): Quota['headers'] {
  const updatesLeft = exchange.quota?.release();
  exchange.quota = reads.take(id, readsPerMinute);
  return { ...updatesLeft, ...exchange.quota.headers };
}
