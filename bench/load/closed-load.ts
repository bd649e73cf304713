import { HttpConnection } from './http-connection.ts';
import { Latencies } from './latencies.ts';
import type { LoadOptions } from './load.ts';

export interface LoadResult {
  perSecond: number;
  latencies: Latencies;
}

/** As much as so many connections get: each asks again as soon as it is answered. */
export async function closedLoad({
  ports,
  connections,
  seconds,
  warmUpSeconds,
  next,
}: LoadOptions): Promise<LoadResult> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const open = await Promise.all(
    Array.from({ length: connections }, (_, at) => HttpConnection.open(ports[at % ports.length] as number, reject)),
  );
  const countedFrom = performance.now() + warmUpSeconds * 1_000;
  const until = countedFrom + seconds * 1_000;
  const taken: number[] = [];
  let busy = connections;

  const ask = (connection: HttpConnection) => {
    const { bytes, onAnswer } = next();
    const askedAt = performance.now();
    connection.ask(bytes, (answer) => {
      const now = performance.now();
      try {
        onAnswer(answer);
      } catch (error) {
        reject(error);
        return;
      }
      if (now >= countedFrom && now < until) taken.push(now - askedAt);
      if (now < until) ask(connection);
      else if (--busy === 0) resolve();
    });
  };
  try {
    for (const connection of open) ask(connection);
    await ended;
  } finally {
    for (const connection of open) connection.close();
  }
  return { perSecond: taken.length / seconds, latencies: new Latencies(taken) };
}
