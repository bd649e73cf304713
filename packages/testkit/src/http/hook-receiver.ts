import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificate, privateKey } from './certificate.ts';
import { Changes } from './changes.ts';

const waitMsMax = 30_000;

interface ReceivedEvent {
  id: string;
  type: string;
  appId?: string;
  subjectId: string;
}

/** A received request. */
export interface Arrival {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** All of a batch. */
  events: ReceivedEvent[];
  /** The first of them. */
  event: ReceivedEvent;
  /** The client's port. */
  port: number;
}

export type Respond = (arrival: Arrival, response: ServerResponse, request: IncomingMessage) => unknown;

/** A webhook receiver on a real socket. It responds with 200 unless `respond` is set. */
export class HookReceiver {
  readonly arrivals: Arrival[] = [];
  respond: Respond = (_, response) => response.end();
  readonly port: number;
  readonly #server: ReturnType<typeof createServer>;
  readonly #protocol: string;
  readonly #changes: Changes;

  static async start({
    tls = false,
    host = '127.0.0.1',
    port = 0,
    changes = new Changes(),
  } = {}): Promise<HookReceiver> {
    const options = { keepAliveTimeout: 60_000 };
    const server = tls ? createTlsServer({ ...options, cert: certificate, key: privateKey }) : createServer(options);
    server.listen(port, host);
    await once(server, 'listening');
    return new HookReceiver(server, { protocol: tls ? 'https' : 'http', changes });
  }

  private constructor(
    server: ReturnType<typeof createServer>,
    { protocol, changes }: { protocol: string; changes: Changes },
  ) {
    this.#server = server;
    this.#protocol = protocol;
    this.#changes = changes;
    this.port = (server.address() as AddressInfo).port;
    server.on('request', (request, response) => this.#take(request, response).catch(() => response.destroy()));
  }

  url(path = '/', host = '127.0.0.1'): string {
    return `${this.#protocol}://${host}:${this.port}${path}`;
  }

  /** The ids of the received events by queue, in order of arrival, without repeats. */
  byQueue(): Record<string, string[]> {
    const queues: Record<string, Set<string>> = {};
    for (const event of this.arrivals.flatMap(({ events }) => events)) {
      queues[event.appId ?? event.subjectId] ??= new Set();
      queues[event.appId ?? event.subjectId]?.add(event.id);
    }
    return Object.fromEntries(Object.entries(queues).map(([queue, ids]) => [queue, [...ids]]));
  }

  /** Resolves once `count` deliveries have arrived. */
  async untilArrived(count: number): Promise<Arrival[]> {
    await this.#changes.until(() => this.arrivals.length >= count);
    return this.arrivals;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const port = request.socket.remotePort ?? 0;
    const events: ReceivedEvent[] = [JSON.parse(body)].flat();
    const [event] = events;
    if (!event) throw new Error('a request without events');
    const arrival = { path: request.url ?? '', headers, body, events, event, port };
    this.arrivals.push(arrival);
    this.#changes.report();
    await this.respond(arrival, response, request);
  }
}

/** Resolves with the first result that is neither null, undefined nor false. For what reports no changes. */
export async function until<Found>(
  find: () => Found | Promise<Found>,
): Promise<Exclude<Found, false | null | undefined>> {
  for (const deadline = performance.now() + waitMsMax; ; await sleep(5)) {
    const found = await find();
    if (found) return found as Exclude<Found, false | null | undefined>;
    if (performance.now() > deadline) throw new Error('the expected result did not occur');
  }
}
