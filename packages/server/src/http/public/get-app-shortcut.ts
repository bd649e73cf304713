import type { IncomingHttpHeaders } from 'node:http';
import { getAppRevision } from '../../registry/apps/get-app.ts';
import type { Registry } from '../../registry/registry.ts';
import { bearerToken } from '../auth/bearer-auth.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { MountOptions } from '../listener/route.ts';
import type { PreparedResponse, Shortcut } from '../listener/shortcut.ts';
import type { AppResponses } from './app-response.ts';

export interface ShortcutParts {
  /** The path in the route table. */
  route: string;
  responses: AppResponses;
  reads: RateLimit;
}

/** Serves Get App in the usual case: a list that can be cached, a valid platform token, no If-Match and no rate limit. */
export function getAppShortcut(
  registry: Registry,
  { route, responses, reads }: ShortcutParts,
  { authenticate, tokenUses }: MountOptions,
): Shortcut {
  const pathBeforeId = route.replace(':id', '');

  return ({ method, url = '', headers }) => {
    if (method !== 'GET' || !url.startsWith(pathBeforeId) || headers['if-match'] !== undefined) return null;
    const id = url.slice(pathBeforeId.length);
    const token = bearerToken(headers.authorization);
    return token !== null ? respond(id, token, headers) : null;
  };

  async function respond(id: string, token: string, headers: IncomingHttpHeaders): Promise<PreparedResponse | null> {
    try {
      const prefetched = getAppRevision(registry, id);
      const [holder, revision] = await Promise.all([authenticate(token), prefetched]);
      if (!holder?.kinds.includes('platform') || !reads.isUnlimited(holder.readsPerMinute)) return null;
      const ready = responses.findCached(id, revision, headers) ?? (await responses.make(id, revision, headers));
      if (!ready) return null;
      tokenUses?.record(holder);
      return { route, ...ready };
    } catch {
      // The route reports what is wrong.
      return null;
    }
  }
}
