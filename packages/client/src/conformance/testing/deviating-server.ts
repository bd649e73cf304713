import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What a deviation may change: in place, before a request is forwarded and before its response is. */
export interface ForwardedRequest {
  method: string;
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface ForwardedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Deviation {
  request?: (request: ForwardedRequest) => void;
  response?: (response: ForwardedResponse, request: ForwardedRequest) => void;
}

/** A server that does what a registry does, but for one deviation. */
export class DeviatingServer {
  readonly #server: Server;
  readonly #port: number;
  deviation: Deviation = {};

  static async start(port: number): Promise<DeviatingServer> {
    const server = new DeviatingServer(port);
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  private constructor(port: number) {
    this.#port = port;
    this.#server = createServer((from, to) => this.#forward(from, to));
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #forward(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const { method = 'GET', url: path } = from;
    const forwarded = { method, headers: textual(from.headers), body: await buffer(from) };
    this.deviation.request?.(forwarded);
    if (forwarded.body.length > 0) forwarded.headers['content-length'] = String(forwarded.body.length);
    const { headers, body } = forwarded;
    const outgoing = request({ host: '127.0.0.1', port: this.#port, method, path, headers, agent: false });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const received = textual(incoming.headers);
    const response = { status: incoming.statusCode ?? 0, headers: received, body: await buffer(incoming) };
    this.deviation.response?.(response, forwarded);
    if (response.body.length > 0) response.headers['content-length'] = String(response.body.length);
    to.writeHead(response.status, response.headers).end(response.body);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a deviation knows the JSON that it changes.
export type JsonChange = (json: any) => void;

/** Changes the JSON of a body in place. */
export function changeJson(message: { body: Buffer }, change: JsonChange): void {
  const json = JSON.parse(message.body.toString() || 'null');
  change(json);
  message.body = Buffer.from(JSON.stringify(json));
}

function textual(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'connection' && name !== 'transfer-encoding')
      .map(([name, value]) => [name, String(value)]),
  );
}
