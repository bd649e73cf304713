import type { Route } from '../listener/route.ts';

/** Publishes the OpenAPI document of a listener. It is large, so it is built on the first request and then cached. */
export function documentRoute(describe: () => object): Route {
  let bytes: Buffer | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'anyone',
    handle: async (_request, reply) => {
      bytes ??= Buffer.from(JSON.stringify(describe()));
      return reply.header('content-type', 'application/json').send(bytes);
    },
  };
}
