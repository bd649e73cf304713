import type { WebResponse } from '../../client/web-types.ts';
import type { AppRegistryEvent, UnknownEvent } from '../../event.ts';
import { type EventVisitor, visit } from '../../visit.ts';
import { readSecrets } from '../secret.ts';
import { verifyWebhookBatch } from '../verify-webhook.ts';
import { WebhookVerificationError } from '../webhook-verification-error.ts';
import { BodyError, type BodyLimits, readBody, requireSize } from './read-body.ts';
import {
  fromNode,
  fromWeb,
  isWebRequest,
  type NodeRequest,
  type NodeResponse,
  type ReceivedRequest,
  type WebRequest,
} from './requests.ts';
import { LatestEvents, type SeenEvents } from './seen-events.ts';

/** Twice the largest batch. */
const defaultBodyBytesMax = 2 * 1_048_576;
/** The registry waits this long for a response. */
const defaultBodyTimeoutMs = 20_000;
const retainedEvents = 10_000;

/**
 * How a handler receives webhooks.
 *
 * @example
 * const options: WebhookHandlerOptions = {
 *   secret,
 *   on: { 'app.approved': ({ appId }) => console.log(appId) },
 *   onError: (error, failed) => console.error(failed?.id, error),
 * };
 * console.log((await webhookHandler(options)(request)).status);
 */
export interface WebhookHandlerOptions {
  /** `whsec_…`, as shown when the webhook was created; several during a rotation. */
  secret: string | readonly string[];
  /** What to do with the events of each type. The next event waits for a promise. */
  on: Omit<EventVisitor<unknown>, '_other'>;
  /** What to do with all other events, also of types that only a newer registry knows. By default they are ignored. */
  other?: ((event: AppRegistryEvent | UnknownEvent) => unknown) | undefined;
  /** The events that were handled, to ignore duplicates. By default the last 10,000 of this handler, in memory. */
  seen?: SeenEvents | undefined;
  /**
   * Called with each failure, and the event if its handler threw. The sender never gets the reason. By default it is
   * written to the console.
   */
  onError?: ((error: unknown, event?: AppRegistryEvent | UnknownEvent) => unknown) | undefined;
  /** Larger bodies are refused. 2 MiB by default: a batch has up to 1 MiB, or one larger event. */
  bodyBytesMax?: number | undefined;
  /** How long the body may take to arrive. 20 seconds by default: the registry waits no longer. 0 means no limit. */
  bodyTimeoutMs?: number | undefined;
}

/**
 * A handler for requests of `fetch`, which resolves to the response, and of `node:http` and Express, which sends it. It
 * never rejects.
 *
 * @example
 * const handler: WebhookHandler = webhookHandler({ secret, on: {}, other: ({ type }) => console.log(type) });
 * console.log((await handler(request)).status);
 */
export interface WebhookHandler {
  (request: WebRequest): Promise<WebResponse>;
  (request: NodeRequest, response: NodeResponse): Promise<void>;
}

/**
 * Receives webhooks: verifies each request and calls the handler of each event, in order and once per event id. An event
 * counts as handled when its handler has returned or its promise was fulfilled.
 *
 * Responds with 204; 400 to what cannot be trusted, 405 to other methods than POST, 408 or 413 to a body that is too slow
 * or too large; and 500 if a handler threw or the body was already parsed. The registry then sends the request again, and
 * the events that were handled before are not handled again.
 *
 * Throws a `TypeError` for a malformed secret.
 *
 * @example
 * const handler = webhookHandler({
 *   secret,
 *   on: {
 *     'app.approved': async ({ appId }) => console.log('approved', appId),
 *     'installation.created': ({ data }) => console.log(data.after.workspaceId),
 *   },
 *   other: ({ type }) => console.log(type),
 * });
 * const response: Response = await handler(request);
 * console.log(response.status);
 */
export function webhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  const receiver = new Receiver(options);
  async function handle(request: WebRequest | NodeRequest, response?: NodeResponse) {
    // By the request: runtimes pass their own second argument with a `Request`.
    if (isWebRequest(request)) {
      const status = await receiver.receive(fromWeb(request));
      return new Response(null, { status, headers: headersOf(status) });
    }
    const status = await receiver.receive(fromNode(request));
    // Unless something else has responded meanwhile, such as a timeout.
    if (!response?.headersSent) response?.writeHead(status, headersOf(status)).end();
    return;
  }
  return handle as WebhookHandler;
}

/** After a body that is left unread, the connection cannot be used again. */
function headersOf(status: number): Record<string, string> {
  if (status === 405) return { allow: 'POST' };
  return status === 408 || status === 413 ? { connection: 'close' } : {};
}

type ReceivedEvent = AppRegistryEvent | UnknownEvent;

class Receiver {
  readonly #secret: WebhookHandlerOptions['secret'];
  readonly #visitor: EventVisitor<unknown>;
  readonly #seen: SeenEvents;
  readonly #onError: NonNullable<WebhookHandlerOptions['onError']>;
  readonly #limits: BodyLimits;
  /** The events that are being handled: the registry retries a request that takes too long. */
  readonly #pending = new Map<string, Promise<void>>();

  constructor({ secret, on, other = () => {}, seen, onError, bodyBytesMax, bodyTimeoutMs }: WebhookHandlerOptions) {
    readSecrets(secret);
    this.#secret = secret;
    this.#visitor = { ...on, _other: other };
    this.#seen = seen ?? new LatestEvents(retainedEvents);
    this.#onError = onError ?? logError;
    this.#limits = {
      bodyBytesMax: bodyBytesMax ?? defaultBodyBytesMax,
      bodyTimeoutMs: bodyTimeoutMs ?? defaultBodyTimeoutMs,
    };
  }

  /** Handles a request, and returns the status to respond with. */
  async receive(request: ReceivedRequest): Promise<number> {
    if (request.method !== 'POST') return 405;
    let events: AppRegistryEvent[];
    try {
      events = await this.#eventsOf(request);
    } catch (error) {
      await this.#report(error);
      return statusFor(error);
    }
    return this.#handleAll(events);
  }

  async #eventsOf(request: ReceivedRequest): Promise<AppRegistryEvent[]> {
    const { headers } = request;
    const opened = request.openBody();
    const body = typeof opened === 'object' && 'read' in opened ? await readBody(opened, this.#limits) : opened;
    requireSize(typeof body === 'string' ? body.length : body.byteLength, this.#limits);
    return verifyWebhookBatch({ body, headers, secret: this.#secret });
  }

  async #handleAll(events: AppRegistryEvent[]): Promise<number> {
    for (const event of events) {
      try {
        await this.#handleOnce(event);
      } catch (error) {
        await this.#report(error, event);
        return 500;
      }
    }
    return 204;
  }

  #handleOnce(event: AppRegistryEvent): Promise<void> {
    const pending = this.#pending.get(event.id) ?? this.#handle(event).finally(() => this.#pending.delete(event.id));
    this.#pending.set(event.id, pending);
    return pending;
  }

  async #handle(event: AppRegistryEvent): Promise<void> {
    if (await this.#seen.has(event.id)) return;
    await visit<unknown, unknown>(event, this.#visitor);
    await this.#seen.add(event.id);
  }

  /** The response does not depend on the hook. */
  async #report(error: unknown, event?: ReceivedEvent): Promise<void> {
    try {
      await this.#onError(error, event);
    } catch (failure) {
      logError(failure);
    }
  }
}

function logError(error: unknown): void {
  console.error(error);
}

function statusFor(error: unknown): number {
  if (error instanceof WebhookVerificationError) return 400;
  return error instanceof BodyError ? error.status : 500;
}
