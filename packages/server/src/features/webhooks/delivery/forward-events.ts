import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '../../events/event.ts';
import type { DeliveryResult } from '../deliveries/record-attempts.ts';
import { Receiver } from './receiver.ts';

const timeoutMs = 20_000;
const waitSeconds = 30;
const pauseMsDefault = 1_000;

export interface ForwardOptions {
  url: string;
  /** Signs each request, as that of a webhook does. */
  secret: string;
  /** All if undefined. */
  types: readonly string[] | undefined;
  userAgent: string;
  now: () => number;
  /** Ends it. */
  signal: AbortSignal;
  /** All events from now on are forwarded. */
  onStart: () => void;
  onForwarded: (event: Event, result: DeliveryResult) => void;
  /** Whether a read was refused, so that it is not retried. */
  isRefusal: (error: unknown) => boolean;
  /** The feed cannot be read. The read is retried after a pause, and no event is skipped. */
  onUnavailable: (error: unknown) => void;
  /** One second by default. */
  pauseMs?: number;
}

/** Reads a page of the event feed, of a database or of a server. */
export type ReadFeed = (query: {
  cursor?: string;
  since?: string;
  type: readonly string[] | undefined;
  limit?: number;
  wait?: number;
}) => Promise<{ items: Event[]; nextCursor: string }>;

/**
 * Sends each new event of the feed to one URL, in order and as a webhook would receive it, but without retries: for a
 * receiver under development, which may be at any address. Refuses as the feed does.
 */
export async function forwardEvents(readFeed: ReadFeed, options: ForwardOptions): Promise<void> {
  const { url, secret, signal, userAgent, now, onForwarded } = options;
  const receiver = new Receiver({ allowPrivate: true, timeoutMs, connectionsMax: 1, userAgent, now });
  try {
    for await (const event of followEvents(readFeed, options)) {
      const result = await receiver.deliver(forwardedRequest(event, { url, secret }), signal);
      if (result) onForwarded(event, result);
    }
  } finally {
    receiver.close();
  }
}

async function* followEvents(readFeed: ReadFeed, options: ForwardOptions): AsyncGenerator<Event> {
  const { types: type, signal, onStart, isRefusal, onUnavailable, pauseMs = pauseMsDefault } = options;
  let { nextCursor: cursor } = await readFeed({ type, since: 'now', limit: 1 });
  onStart();
  while (!signal.aborted) {
    try {
      const page = await readFeed({ type, cursor, wait: waitSeconds });
      cursor = page.nextCursor;
      for (const event of page.items) {
        if (signal.aborted) return;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error)) throw error;
      onUnavailable(error);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

function forwardedRequest(event: Event, { url, secret }: Pick<ForwardOptions, 'url' | 'secret'>) {
  const { id, subjectId, appId, traceparent } = event;
  const body = JSON.stringify(event);
  const delivery = { id, eventId: id, dueAt: 0 };
  const about = { webhookId: 'listen', queue: appId ?? subjectId, attempts: 0, deliveries: [delivery], traceparent };
  return { ...about, url, secrets: [secret], id, body };
}
