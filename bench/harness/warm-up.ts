import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import { closedLoad } from '../load/closed-load.ts';
import { bytesOf, inTurn } from '../load/load.ts';
import type { Bench } from './case.ts';

/** Sends requests to a server until its code is compiled and its data is cached. */
export async function warmUp({ pace }: Bench, port: number, requests: HttpRequest[]): Promise<void> {
  const { connections, warmUpSeconds: seconds } = pace;
  const nextRequest = inTurn(requests.map(bytesOf));
  const next = () => ({ bytes: nextRequest().bytes, onResponse: () => {} });
  await closedLoad({ ports: [port], connections, seconds, warmUpSeconds: 0, next });
}
