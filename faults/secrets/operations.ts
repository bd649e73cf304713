import { send } from '@appregistrar/testkit/http/send';
import type { Service } from '../harness/service.ts';

/** An operation of either listener. */
export interface Operation {
  origin: string;
  method: string;
  /** Its parameters are in braces. */
  path: string;
}

/** Every documented operation of the service, and those of sessions. */
export async function listOperations({ publicUrl, operatorUrl }: Service): Promise<Operation[]> {
  const documented = await Promise.all([publicUrl, operatorUrl].map(documentedOperations));
  const session = ['GET', 'POST', 'DELETE'].map((method) => ({ origin: operatorUrl, method, path: '/session' }));
  return [...documented.flat(), ...session];
}

async function documentedOperations(origin: string): Promise<Operation[]> {
  const request = { method: 'GET', path: '/openapi.json' };
  const { paths } = (await send<{ paths: Record<string, object> }>(origin, request)).view;
  return Object.entries(paths).flatMap(([path, methods]) =>
    ['get', 'post', 'patch', 'delete']
      .filter((method) => method in methods)
      // A response that streams does not end by itself.
      .filter((method) => !JSON.stringify(methods[method as keyof typeof methods]).includes('"text/event-stream"'))
      .map((method) => ({ origin, method: method.toUpperCase(), path })),
  );
}
