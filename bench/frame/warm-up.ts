import { closedLoad } from '../load/closed-load.ts';
import { type Ask, bytesOf } from '../load/http-request.ts';
import { inTurn } from '../load/load.ts';
import type { Bench } from './case.ts';

/** Asks a server for a while, until its code is compiled and its data is at hand. */
export async function warmUp({ pace }: Bench, port: number, asks: Ask[]): Promise<void> {
  const { connections, warmUpSeconds: seconds } = pace;
  const questions = inTurn(asks.map(bytesOf));
  const next = () => ({ bytes: questions().bytes, onAnswer: () => {} });
  await closedLoad({ ports: [port], connections, seconds, warmUpSeconds: 0, next });
}
