import { HttpConnection } from './http-connection.ts';
import { Latencies } from './latencies.ts';
import type { LoadOptions } from './load.ts';

export interface ConstantRate extends LoadOptions {
  perSecond: number;
  /** Whether other programs use the core of the generator: then it may be late by a millisecond, which counts. */
  sharesCore?: boolean;
  /** Ends the load early. A request that was due and has no response counts with its time until then. */
  signal?: AbortSignal;
}

/**
 * Sends requests at a constant rate, regardless of the server. A request is timed from the moment it was due, not from
 * when it was sent: during a stall of the server, the requests that users would have made count with all their waiting.
 */
export async function constantRate({
  ports,
  connections,
  seconds,
  warmUpSeconds,
  next,
  perSecond,
  sharesCore = false,
  signal,
}: ConstantRate): Promise<Latencies> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const open = await Promise.all(
    Array.from({ length: connections }, (_, at) => HttpConnection.open(ports[at % ports.length] as number, reject)),
  );
  const free = [...open];
  const uncounted = Math.round(warmUpSeconds * perSecond);
  const total = uncounted + Math.round(seconds * perSecond);
  const durations = new Float64Array(total).fill(Number.NaN);
  const startedAt = performance.now();
  let sent = 0;
  let completed = 0;
  let isEnded = false;

  const sinceDue = (index: number) => performance.now() - startedAt - (index * 1_000) / perSecond;
  const dueCount = () => Math.min(total, 1 + Math.floor(((performance.now() - startedAt) * perSecond) / 1_000));
  const sendDue = () => {
    const due = dueCount();
    while (sent < due) {
      // In turn: a server closes a connection that sends nothing for long.
      const connection = free.shift();
      if (!connection) return;
      send(connection, sent++);
    }
  };
  const send = (connection: HttpConnection, index: number) => {
    const { bytes, onResponse } = next();
    connection.send(bytes, (response) => {
      durations[index] = sinceDue(index);
      try {
        onResponse(response);
      } catch (error) {
        reject(error);
        return;
      }
      free.push(connection);
      if (++completed === total) resolve();
      sendDue();
    });
  };
  const poll = () => {
    if (isEnded) return;
    sendDue();
    if (sharesCore) setTimeout(poll, 1);
    // Timers are too coarse, so it polls the clock.
    else setImmediate(poll);
  };
  try {
    signal?.addEventListener('abort', () => resolve());
    poll();
    await ended;
  } finally {
    isEnded = true;
    for (const connection of open) connection.close();
  }
  const due = durations.subarray(0, dueCount());
  return new Latencies(due.map((ms, index) => (Number.isNaN(ms) ? sinceDue(index) : ms)).subarray(uncounted));
}
