import { StaticFile } from '../body/static-file.ts';
import type { Route } from '../listener/route.ts';

/** Announces the document beside a page (RFC 8631). */
export const documentLink = '</openapi.json>; rel="service-desc"; type="application/json"';

/**
 * Publishes the OpenAPI document of a listener, for pages of any origin too: it holds nothing secret. It is large, so it is
 * built on the first request and then cached.
 */
export function documentRoute(describe: () => object): Route {
  let file: StaticFile | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'anyone',
    anyOrigin: true,
    cacheable: true,
    handle: async (request, reply) => {
      file ??= new StaticFile('application/json', Buffer.from(JSON.stringify(describe())));
      return file.sendConditionally(request, reply.header('access-control-allow-origin', '*'));
    },
  };
}
