import type { FastifyRequest } from 'fastify';

const exposedFields = ['ETag', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id', 'Idempotency-Replayed'];
const requestFields = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  // Of our client, and of W3C Trace Context.
  'X-App-Registry-Client',
  'Traceparent',
  'Tracestate',
];
/** Browsers cache a preflight response no longer than this. */
const preflightSeconds = 7_200;

/** Lets pages of the listed origins call the listener from a browser, never with credentials (decision 1). */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** The fields of any response, also one with a problem. To its Vary they add Origin. */
  fieldsOf({ headers: { origin } }: Pick<FastifyRequest, 'headers'>, vary: unknown): Record<string, string> {
    if (this.#origins.size === 0) return {};
    const varied = { vary: vary === undefined ? 'Origin' : `${vary}, Origin` };
    if (!this.#isListed(origin)) return varied;
    return {
      ...varied,
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposedFields.join(', '),
    };
  }

  /** Whether this is the preflight request of a page of a listed origin. */
  isPreflight({ method, headers }: FastifyRequest): boolean {
    return (
      method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && this.#isListed(headers.origin)
    );
  }

  preflightFields(methods: string[]): Record<string, string> {
    return {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': requestFields.join(', '),
      'access-control-max-age': String(preflightSeconds),
    };
  }

  #isListed(origin: string | undefined): origin is string {
    return origin !== undefined && this.#origins.has(origin);
  }
}
