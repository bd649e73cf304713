import type { Principal } from '../../features/access/access-token.ts';
import { isRead } from '../../features/apps/update-app.ts';
import { publicOperations } from '../../features/operations.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import { PrincipalSuspended } from '../auth/bearer-auth.ts';
import { callerOf, replayedField, revisionCondition, withCurrentTag } from '../body/header-fields.ts';
import { readJson, requireJsonBody } from '../body/json-body.ts';
import type { RateLimits, StoredBytes } from '../limits/rate-limit.ts';
import { type NodeRoute, nodeRoute, type RequestContext } from '../listener/request-context.ts';
import { toProblem } from '../problem/to-problem.ts';

export interface UpdateAppOptions {
  limits: RateLimits;
  storedBytes: StoredBytes;
  /** 0 means no limit. */
  bodyBytesMax: number;
}

/** Update App (interface 4.1). */
export function updateAppRoute(registry: Registry, { limits, storedBytes, bodyBytesMax }: UpdateAppOptions): NodeRoute {
  const { updateApp } = publicOperations;
  return nodeRoute(updateApp, {
    count: ({ id, updatesPerMinute }) => limits.updates.take(id, updatesPerMinute),

    async handle(context, appId, authorized) {
      const principal = await authorized;
      const { id, request } = context;
      const { headers } = request;
      await requireJsonBody(request);
      const { json: update, bytes } = await readJson(context, bodyBytesMax);
      const isWrite = !isRead(update);
      // Refused only now: an empty update counts as a read.
      if (!isWrite) countAsRead(limits, context, principal);
      if (context.quota?.problem) throw context.quota.problem;

      const replayed: Record<string, string> = {};
      let releaseBytes = () => {};
      const onReplay = () => {
        Object.assign(replayed, replayedField);
        releaseBytes();
      };
      const caller = callerOf({ id, headers }, principal, onReplay);
      const input = {
        appId,
        developerId: principal.developerId,
        update,
        ...revisionCondition(headers),
        condition: [headers['if-match'] ?? null, headers['if-none-match'] ?? null],
      };
      if (isWrite) releaseBytes = takeBytes(storedBytes, context, { principal, bytes });
      const { app, etag } = await withCurrentTag(() => updateApp.run(registry, caller, input)).catch(
        (error: unknown) => {
          // After an internal error the update may be stored.
          if (toProblem(error).code !== 'internal_error') releaseBytes();
          if (error instanceof Failure && error.code === 'developer_suspended') throw new PrincipalSuspended();
          throw error;
        },
      );
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
  context: RequestContext,
  { principal, bytes }: { principal: { developerId: string }; bytes: number },
): () => void {
  try {
    return storedBytes.take(principal.developerId, bytes);
  } catch (problem) {
    // A request that gets a 429 uses no quota.
    context.quota?.release();
    throw problem;
  }
}

/** Moves a request from the limit of updates to that of reads. Where reads have none, the fields show the former. */
function countAsRead({ reads }: RateLimits, context: RequestContext, { id, readsPerMinute }: Principal): void {
  const updatesLeft = context.quota?.release();
  const quota = reads.take(id, readsPerMinute);
  context.quota = { ...quota, headers: { ...updatesLeft, ...quota.headers } };
}
