import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '../contract/event.ts';
import { NewEvents } from '../registry/events/feed/new-events.ts';
import { readEventFeed } from '../registry/events/feed/read-event-feed.ts';
import { Failure } from '../registry/failure.ts';
import type { Registry } from '../registry/registry.ts';
import type { DeliveryResult } from '../registry/webhooks/deliveries/record-attempts.ts';
import { Receiver } from './receiver.ts';

const timeoutMs = 20_000;
const waitSeconds = 30;
const pauseMs = 1_000;

export interface ForwardOptions {
  url: string;
  /** Signs each request, as that of a webhook does. */
  secret: string;
  /** Types, separated by commas; all if undefined. */
  types: string | undefined;
  userAgent: string;
  /** Ends it. */
  signal: AbortSignal;
  /** All events from now on are forwarded. */
  onStart: () => void;
  onForwarded: (event: Event, result: DeliveryResult) => void;
  /** The database cannot be read. The read is retried each second, and no event is skipped. */
  onUnavailable: (error: unknown) => void;
}

/**
 * Sends each new event of the feed to one URL, in order and as a webhook would receive it, but without retries: for a
 * receiver under development, which may be at any address. Refuses as the feed does.
 */
export async function forwardEvents(registry: Registry, options: ForwardOptions): Promise<void> {
  const { url, secret, signal, userAgent, onForwarded } = options;
  const receiver = new Receiver({ allowPrivate: true, timeoutMs, connectionsMax: 1, userAgent, now: registry.now });
  try {
    for await (const event of newEventsOf(registry, options)) {
      const result = await receiver.deliver(requestOf(event, { url, secret }), signal);
      if (result) onForwarded(event, result);
    }
  } finally {
    receiver.close();
  }
}

async function* newEventsOf(registry: Registry, options: ForwardOptions): AsyncGenerator<Event> {
  const { types, signal, onStart } = options;
  const reader = { newEvents: new NewEvents(registry.storage), signal };
  let { nextCursor: after } = await readEventFeed(registry, { types, after: 'now', limit: 1 }, reader);
  onStart();
  while (!signal.aborted) {
    const page = await readOrPause(() => readEventFeed(registry, { types, after, wait: waitSeconds }, reader), options);
    if (!page) continue;
    after = page.nextCursor;
    for (const event of page.items) {
      if (signal.aborted) return;
      yield event;
    }
  }
}

/** Undefined, after a pause, if the database cannot be read now. */
async function readOrPause<Page>(
  read: () => Promise<Page>,
  { signal, onUnavailable }: ForwardOptions,
): Promise<Page | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure) throw error;
    onUnavailable(error);
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
    return undefined;
  }
}

function requestOf(event: Event, { url, secret }: Pick<ForwardOptions, 'url' | 'secret'>) {
  const { id, subjectId, appId, traceparent } = event;
  const body = JSON.stringify(event);
  const delivery = { id, eventId: id, dueAt: 0 };
  const about = { webhookId: 'listen', queue: appId ?? subjectId, attempts: 0, deliveries: [delivery], traceparent };
  return { ...about, url, secrets: [secret], id, body };
}
