import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';

/** A received request. */
export interface Received {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
  at: number;
}

/** How the server handles one request. */
export type Reply = (response: ServerResponse) => unknown;

/** A server on a real socket that handles each request with the next reply, and repeats the last one. */
export class ScriptedServer {
  readonly received: Received[] = [];
  readonly #server: Server;
  readonly #replies: Reply[];

  static async start(t: TestContext, ...replies: Reply[]): Promise<ScriptedServer> {
    const server = new ScriptedServer(replies);
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => server.stop());
    return server;
  }

  private constructor(replies: Reply[]) {
    this.#replies = replies;
    this.#server = createServer(async (request, response) => {
      const { method, url: path, headers } = request;
      const body = await text(request);
      this.received.push({ method, path, headers, body, at: performance.now() });
      const reply = this.#replies.length > 1 ? this.#replies.shift() : this.#replies[0];
      reply?.(response);
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }
}

/** Responds with JSON. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return reply(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });
}

/** Responds with problem details. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const requestId = '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11';
  const details = {
    title: 'A title',
    status,
    detail: 'What to do.',
    instance: `urn:uuid:${requestId}`,
    code,
    requestId,
  };
  return json(status, { type: `https://apps.example.com/docs#${code}`, ...details }, headers);
}

export function reply(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Never responds. */
export const silence: Reply = () => {};

/** Starts a response and never completes it. */
export function stalled(start: string, headers: Record<string, string> = {}): Reply {
  return (response) => response.writeHead(200, { 'content-type': 'application/json', ...headers }).write(start);
}

/** Resets the connection. */
export const reset: Reply = (response) => response.socket?.resetAndDestroy();

/** Starts a response and resets the connection. */
export function truncated(start: string, { status = 200, type = 'application/json' } = {}): Reply {
  return async (response) => {
    response.writeHead(status, { 'content-type': type }).write(start);
    // The client, in this process, reads the start meanwhile: each turn of the event loop polls its socket.
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    response.socket?.resetAndDestroy();
  };
}
