/** A request and its response, as they are recorded. */
export interface Exchange {
  sentAt: number;
  /** Time until the response or the failure. */
  durationMs: number;
  /** Without credentials and query. */
  url: string;
  userAgent: string;
  /** Absent when there was none. */
  response?: RecordedResponse;
}

/**
 * The part of a response beyond its status and the start of its text. Bounded, and without the values of secret
 * headers.
 */
export interface RecordedResponse {
  headers: [name: string, value: string][];
  /** The text after its start. */
  rest: string;
  /** Whether the body is not text. */
  isBinary: boolean;
  /** Whether the header or the body went on. */
  isCut: boolean;
}
