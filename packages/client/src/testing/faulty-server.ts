import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

/** A request as it came. */
export interface Received {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
  at: number;
}

/** What the server does to one request. */
export type ValidationError = (response: ServerResponse) => unknown;

/** A server on a real socket that answers each request with the next of the faults, and the last one for ever. */
export class FaultyServer {
  readonly received: Received[] = [];
  readonly #server: Server;
  readonly #faults: ValidationError[];

  static async start(t: TestContext, ...faults: ValidationError[]): Promise<FaultyServer> {
    const server = new FaultyServer(faults);
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => server.stop());
    return server;
  }

  private constructor(faults: ValidationError[]) {
    this.#faults = faults;
    this.#server = createServer(async (request, response) => {
      const { method, url: path, headers } = request;
      const body = await text(request);
      this.received.push({ method, path, headers, body, at: performance.now() });
      const fault = this.#faults.length > 1 ? this.#faults.shift() : this.#faults[0];
      fault?.(response);
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

/** Answers this as JSON. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): ValidationError {
  return answer(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });
}

/** Answers problem details. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): ValidationError {
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

export function answer(status: number, body: string, headers: Record<string, string> = {}): ValidationError {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Says nothing. */
export const silence: ValidationError = () => {};

/** Begins an answer, and says nothing more. */
export function stalled(begun: string, headers: Record<string, string> = {}): ValidationError {
  return (response) => response.writeHead(200, { 'content-type': 'application/json', ...headers }).write(begun);
}

/** Resets the connection. */
export const reset: ValidationError = (response) => response.socket?.resetAndDestroy();

/** Begins an answer, and resets the connection. */
export function cut(begun: string): ValidationError {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(begun);
    // Once it is on its way.
    setTimeout(() => response.socket?.resetAndDestroy(), 50);
  };
}
