import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Cors } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { countHosts } from './host-field.ts';

/** A good answer, but for what every answer has. */
export interface PreparedResponse {
  /** As it stands in the route table. */
  route: string;
  status: number;
  fields: Record<string, string>;
  body: Buffer | null;
}

/**
 * Answers some requests as their route would, without the framework, which takes most of the time of an answer that is
 * at hand. Null, at once or in the end, for whatever it leaves to the route. Never rejects.
 */
export type Shortcut = (request: IncomingMessage) => Promise<PreparedResponse | null> | null;

declare module 'fastify' {
  interface FastifyInstance {
    /** Those of the routes that are on the listener. */
    shortcuts: Shortcut[];
  }
}

interface ShortcutOptions {
  cors?: Cors | undefined;
  isDraining: () => boolean;
}

/** Puts the shortcuts of a listener before what serves its routes. */
export function withShortcuts(
  app: FastifyInstance,
  serve: RequestListener,
  { cors, isDraining }: ShortcutOptions,
): (exchange: Exchange) => void {
  const shortcuts: Shortcut[] = [];
  app.decorate('shortcuts', shortcuts);

  function send({ id, response }: Exchange, { status, fields, body }: PreparedResponse): void {
    const all = { 'x-request-id': id, ...fields, ...cors?.varyField(fields.vary) };
    if (body) Object.assign(all, { 'content-length': body.length });
    if (isDraining()) Object.assign(all, { connection: 'close' });
    response.writeHead(status, all).end(body);
  }

  return async (exchange) => {
    const { request, response } = exchange;
    const answering = isPlain(request) ? find(shortcuts, request) : null;
    const answer = answering && (await answering);
    // What is to be done for a client that has gone is for the route to say.
    if (!answer || response.closed) return serve(request, response);
    exchange.route = answer.route;
    send(exchange, answer);
  };
}

function find(shortcuts: Shortcut[], request: IncomingMessage): ReturnType<Shortcut> {
  for (const shortcut of shortcuts) {
    const answering = shortcut(request);
    if (answering) return answering;
  }
  return null;
}

/** Whether nothing is in a request that a listener looks at before its routes, or that changes every answer. */
function isPlain({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  const {
    origin,
    'x-forwarded-proto': proto = 'https',
    'content-length': length,
    'transfer-encoding': coding,
  } = headers;
  const isBare = origin === undefined && length === undefined && coding === undefined;
  return isBare && proto === 'https' && httpVersion === '1.1' && countHosts(rawHeaders) === 1;
}
