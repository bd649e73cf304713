import type { Route } from './route.ts';

/** Publishes the description of a listener. It is large, so it is written out once. */
export function documentRoute(document: object): Route {
  const bytes = Buffer.from(JSON.stringify(document));
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'anyone',
    handle: async (_request, reply) => reply.header('content-type', 'application/json').send(bytes),
  };
}
