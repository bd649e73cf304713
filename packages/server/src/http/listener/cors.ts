import type { FastifyReply, FastifyRequest } from 'fastify';

const exposedFields = ['ETag', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id', 'Idempotency-Replayed'];
const requestFields = ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'Idempotency-Key'];
/** Browsers cache a preflight response no longer than this. */
const preflightSeconds = 7_200;

/** Lets pages of the listed origins call the listener from a browser, never with credentials (decision 1). */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Adds the fields to any response, also one with a problem. */
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

  /** The Vary field, with Origin added to the given one. */
  varyField(vary?: unknown): Record<string, string> {
    if (this.#origins.size === 0) return {};
    return { vary: vary === undefined ? 'Origin' : `${vary}, Origin` };
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
