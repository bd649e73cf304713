import type { FastifyReply, FastifyRequest } from 'fastify';

const exposedFields = ['ETag', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id', 'Idempotency-Replayed'];
const requestFields = ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'Idempotency-Key'];
/** Browsers keep a preflight answer no longer than this. */
const preflightSeconds = 7_200;

/** Lets pages of listed origins call the listener from a browser, never with credentials (decision 1). */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Puts the fields on an answer, good or bad. */
  addTo(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#origins.size === 0) return;
    reply.headers(this.varyField(reply.getHeader('vary')));
    const { origin } = request.headers;
    if (!this.#isListed(origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposedFields.join(', '),
    });
  }

  /** What an answer depends on beside what it depends on without. */
  varyField(vary?: unknown): Record<string, string> {
    if (this.#origins.size === 0) return {};
    return { vary: vary === undefined ? 'Origin' : `${vary}, Origin` };
  }

  /** Whether a browser asks, for a page of a listed origin, what it may send. */
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
