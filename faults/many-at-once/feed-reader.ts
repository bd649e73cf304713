import type { Event } from '../../packages/server/src/features/events/event.ts';
import type { EventFeedPage, EventPage } from '../../packages/server/src/features/events/event-query.ts';
import { guarantee } from '../harness/fault-injection.ts';
import type { Connections, Tokens } from './connections.ts';

/** Without a further event. */
const heldBackMsMax = 30_000;

interface ReaderParts {
  connections: Connections;
  tokens: Pick<Tokens, 'operator'>;
}

/** Reads the event feed while others make changes, each page from another process. */
export class FeedReader {
  readonly #events: Event[] = [];
  readonly #parts: ReaderParts;
  #cursor = '';
  #pages = 0;
  #progressAt = 0;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  /** Reads while some work runs, then what is left, and asserts that it has everything. */
  async readDuring(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    await Promise.all([done, this.#readUntil(() => isDone)]);
    const stored = await this.#stored();
    // A transaction of another database of the server may hold the last ones back.
    const isOver = () => performance.now() - this.#progressAt > heldBackMsMax;
    await this.#readUntil(() => this.#events.length >= stored.length || isOver());
    await this.#read(0);
    this.#check(stored);
  }

  async #readUntil(isDone: () => boolean): Promise<void> {
    while (!isDone()) await this.#read(1);
  }

  #check(stored: Event[]): void {
    const ids = this.#events.map(({ id }) => id);
    const known = new Set(ids);
    guarantee(known.size === ids.length, 'the feed has an event twice');
    const missed = stored.filter(({ id }) => !known.has(id));
    guarantee(
      missed.length === 0,
      () => `the feed misses ${missed.length} events, such as ${JSON.stringify(missed[0])}`,
    );
    for (const [appId, events] of Map.groupBy(this.#events, (event) => event.appId)) {
      const ofApp = events.map(({ id }) => id);
      const isOrdered = ofApp.every((id, at) => at === 0 || id > String(ofApp[at - 1]));
      guarantee(
        appId === undefined || isOrdered,
        () => `the feed has the events of ${appId} in another order than its changes`,
      );
    }
  }

  async #read(waitSeconds: number): Promise<void> {
    const path = `/operator/v1/events/feed?${this.#cursor && `cursor=${this.#cursor}&`}limit=100&wait=${waitSeconds}`;
    const { items, nextCursor } = await this.#get<EventFeedPage>(path);
    if (items.length > 0) this.#progressAt = performance.now();
    this.#events.push(...items);
    this.#cursor = nextCursor;
  }

  async #stored(): Promise<Event[]> {
    const events: Event[] = [];
    for (let cursor = ''; ; ) {
      const page = await this.#get<EventPage>(`/operator/v1/events?limit=100${cursor && `&cursor=${cursor}`}`);
      events.push(...page.items);
      if (page.nextCursor === undefined) return events;
      cursor = page.nextCursor;
    }
  }

  async #get<View>(path: string): Promise<View> {
    const { connections, tokens } = this.#parts;
    this.#pages += 1;
    const request = { path, token: tokens.operator, isPublic: false };
    const { status, text } = await connections.send(request, this.#pages % connections.processes);
    guarantee(status === 200, `a ${status} to a read of events: ${text}`);
    return JSON.parse(text);
  }
}
