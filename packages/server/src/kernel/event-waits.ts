import type { FeedPlace } from '../storage/storage.ts';

/** The next events of a stream, each with the cursor after it. An empty page is a heartbeat. */
export interface StreamedPage<Event = unknown> {
  items: { event: Event; cursor: string }[];
  /** After all of them. */
  nextCursor: string;
  end: FeedPlace;
  /** Whether there was nothing after it. */
  isAtEnd: boolean;
}

export interface StreamReader {
  /** Ends the stream: the reader has gone. */
  signal: AbortSignal;
  /** Throws once the reader may no longer read. */
  reauthorize: () => Promise<void>;
}

/** The means by which an operation waits for events. */
export interface EventWaits {
  newEvents: {
    readonly isStopped: boolean;
    /** Waits until there is an event after this place, for `ms`, or until the signal. May end early, and never rejects. */
    wait(place: FeedPlace, options: { ms: number; signal: AbortSignal }): Promise<void>;
  };
  /** A command has none: it reads the feed. */
  eventStreams?: {
    begin(input: unknown): Promise<StreamedPage>;
    follow(first: StreamedPage, reader: StreamReader): AsyncGenerator<StreamedPage, void, void>;
  };
  /**
   * Reserves one of the places for waiting requests, or refuses if none is free. Returns a function that releases it.
   */
  longPolls: { acquire(): () => void };
}
