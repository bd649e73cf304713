import { HttpConnection } from './http-connection.ts';
import { Latencies } from './latencies.ts';
import type { LoadOptions } from './load.ts';

export interface LoadResult {
  perSecond: number;
  latencies: Latencies;
}

/** The maximal throughput of this many connections: each sends its next request once it has a response. */
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
  const durations: number[] = [];
  let busy = connections;

  const send = (connection: HttpConnection) => {
    const { bytes, onResponse } = next();
    const sentAt = performance.now();
    connection.send(bytes, (response) => {
      const now = performance.now();
      try {
        onResponse(response);
      } catch (error) {
        reject(error);
        return;
      }
      if (now >= countedFrom && now < until) durations.push(now - sentAt);
      if (now < until) send(connection);
      else if (--busy === 0) resolve();
    });
  };
  try {
    for (const connection of open) send(connection);
    await ended;
  } finally {
    for (const connection of open) connection.close();
  }
  return { perSecond: durations.length / seconds, latencies: new Latencies(durations) };
}
