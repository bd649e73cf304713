import type { TokenHolder } from '../../features/access/authenticate.ts';
import { publicOperations } from '../../features/apps/public-operations.ts';
import { isRead, updateApp } from '../../features/apps/update-app.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import { HolderSuspended } from '../auth/bearer-auth.ts';
import { revisionCondition, withCurrentTag } from '../body/entity-tag.ts';
import { callerOf, replayedField } from '../body/idempotency-key.ts';
import { readJson, requireJsonBody } from '../body/json-body.ts';
import type { RateLimits, StoredBytes } from '../limits/rate-limit.ts';
import type { Exchange } from '../listener/node-route.ts';
import { type LeanRoute, leanRoute } from '../listener/node-route.ts';
import { toProblem } from '../problem/to-problem.ts';

export interface UpdateAppOptions {
  limits: RateLimits;
  storedBytes: StoredBytes;
  /** 0 means no limit. */
  bodyBytesMax: number;
}

/** Update App (interface 4.1). */
export function updateAppRoute(registry: Registry, { limits, storedBytes, bodyBytesMax }: UpdateAppOptions): LeanRoute {
  const { method, path, kind } = publicOperations.updateApp;
  return leanRoute({
    method,
    path,
    access: { kind },

    count: ({ id, updatesPerMinute }) => limits.updates.take(id, updatesPerMinute),

    async handle(exchange, appId, admitted) {
      const holder = await admitted;
      const { id, request } = exchange;
      const { headers } = request;
      requireJsonBody(request);
      const { json: update, bytes } = await readJson(exchange, bodyBytesMax);
      const isWrite = !isRead(update);
      // Refused only now: an empty update counts as a read.
      if (!isWrite) countAsRead(limits, exchange, holder);
      if (exchange.quota?.problem) throw exchange.quota.problem;

      const replayed: Record<string, string> = {};
      let releaseBytes = () => {};
      const onReplay = () => {
        Object.assign(replayed, replayedField);
        releaseBytes();
      };
      const caller = callerOf({ id, headers }, holder, onReplay);
      const input = {
        appId,
        developerId: holder.developerId,
        update,
        ...revisionCondition(headers),
        condition: [headers['if-match'] ?? null, headers['if-none-match'] ?? null],
      };
      if (isWrite) releaseBytes = takeBytes(storedBytes, exchange, { holder, bytes });
      const { app, etag } = await withCurrentTag(() => updateApp(registry, caller, input)).catch((error: unknown) => {
        // After an internal error the update may be stored.
        if (toProblem(error).code !== 'internal_error') releaseBytes();
        if (error instanceof Failure && error.code === 'developer_suspended') throw new HolderSuspended();
        throw error;
      });
      return {
        status: 200,
        fields: {
          'cache-control': 'no-store',
          etag,
          ...replayed,
          'content-type': 'application/json',
        },
        body: JSON.stringify(app),
      };
    },
  });
}

function takeBytes(
  storedBytes: StoredBytes,
  exchange: Exchange,
  { holder, bytes }: { holder: { developerId: string }; bytes: number },
): () => void {
  try {
    return storedBytes.take(holder.developerId, bytes);
  } catch (problem) {
    // A request that gets a 429 uses no quota.
    exchange.quota?.release();
    throw problem;
  }
}

/** Moves a request from the limit of updates to that of reads. Where reads have none, the fields show the former. */
function countAsRead({ reads }: RateLimits, exchange: Exchange, { id, readsPerMinute }: TokenHolder): void {
  const updatesLeft = exchange.quota?.release();
  const quota = reads.take(id, readsPerMinute);
  exchange.quota = { ...quota, headers: { ...updatesLeft, ...quota.headers } };
}
