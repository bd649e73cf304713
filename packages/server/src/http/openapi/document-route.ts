import type { Route } from '../listener/route.ts';

/** Publishes the description of a listener. It is large, so it is made at its first reading, and then kept. */
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
