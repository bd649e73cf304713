import { HttpConnection } from './http-connection.ts';
import { Latencies } from './latencies.ts';
import type { LoadOptions } from './load.ts';

export interface ConstantRate extends LoadOptions {
  perSecond: number;
  /** Whether others need the core of the generator meanwhile: then it is late by a millisecond at times, which counts. */
  sharesCore?: boolean;
}

/**
 * Asks at a constant rate, whatever the server does. A request is timed from the moment it was due and not from
 * the one it was sent at: while a server stands still the requests that users would have made count too, with
 * all of their waiting.
 */
export async function constantRate({
  ports,
  connections,
  seconds,
  warmUpSeconds,
  next,
  perSecond,
  sharesCore = false,
}: ConstantRate): Promise<Latencies> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const open = await Promise.all(
    Array.from({ length: connections }, (_, at) => HttpConnection.open(ports[at % ports.length] as number, reject)),
  );
  const free = [...open];
  const uncounted = Math.round(warmUpSeconds * perSecond);
  const total = uncounted + Math.round(seconds * perSecond);
  const taken = new Float64Array(total);
  const startedAt = performance.now();
  let sent = 0;
  let answered = 0;
  let isEnded = false;

  const sendDue = () => {
    const due = Math.min(total, 1 + Math.floor(((performance.now() - startedAt) * perSecond) / 1_000));
    while (sent < due) {
      const connection = free.pop();
      if (!connection) return;
      send(connection, sent++);
    }
  };
  const send = (connection: HttpConnection, index: number) => {
    const { bytes, onAnswer } = next();
    connection.ask(bytes, (answer) => {
      taken[index] = performance.now() - startedAt - (index * 1_000) / perSecond;
      try {
        onAnswer(answer);
      } catch (error) {
        reject(error);
        return;
      }
      free.push(connection);
      if (++answered === total) resolve();
      sendDue();
    });
  };
  const watch = () => {
    if (isEnded) return;
    sendDue();
    if (sharesCore) setTimeout(watch, 1);
    // Timers are too coarse: it looks at the clock all the time.
    else setImmediate(watch);
  };
  try {
    watch();
    await ended;
  } finally {
    isEnded = true;
    for (const connection of open) connection.close();
  }
  return new Latencies(taken.subarray(uncounted));
}
