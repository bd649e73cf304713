import type { IncomingHttpHeaders } from 'node:http';
import { getAppRevision } from '../../registry/apps/get-app.ts';
import type { Registry } from '../../registry/registry.ts';
import { bearerToken } from '../auth/bearer-auth.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { MountOptions } from '../listener/route.ts';
import type { PreparedResponse, Shortcut } from '../listener/shortcut.ts';
import type { AppResponses } from './app-response.ts';

export interface ShortcutParts {
  /** As it stands in the route table. */
  route: string;
  responses: AppResponses;
  reads: RateLimit;
}

/**
 * Answers Get App where nothing is in the way: a list that can be held, a good token of a platform, and no limit to
 * count against.
 */
export function getAppShortcut(
  registry: Registry,
  { route, responses, reads }: ShortcutParts,
  { authenticate, tokenUses }: MountOptions,
): Shortcut {
  const pathBeforeId = route.replace(':id', '');

  return ({ method, url = '', headers }) => {
    if (method !== 'GET' || !url.startsWith(pathBeforeId)) return null;
    const id = url.slice(pathBeforeId.length);
    const token = bearerToken(headers.authorization);
    return token !== null ? answer(id, token, headers) : null;
  };

  async function answer(id: string, token: string, headers: IncomingHttpHeaders): Promise<PreparedResponse | null> {
    try {
      const asking = getAppRevision(registry, id);
      const [holder, revision] = await Promise.all([authenticate(token), asking]);
      if (!holder?.kinds.includes('platform') || !reads.isUnlimited(holder.readsPerMinute)) return null;
      const ready = responses.atHand(id, revision, headers) ?? (await responses.make(id, revision, headers));
      if (!ready) return null;
      tokenUses?.note(holder);
      return { route, ...ready };
    } catch {
      // The route tells what is wrong.
      return null;
    }
  }
}
