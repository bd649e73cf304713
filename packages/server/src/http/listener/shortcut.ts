import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Cors } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { hasRepeatedField, isValidHost } from './request-header.ts';

/** A successful response, without the fields that every response gets. */
export interface PreparedResponse {
  /** As in the route table. */
  route: string;
  status: number;
  fields: Record<string, string>;
  body: Buffer | null;
}

/**
 * Responds to some requests as their route would, without the framework, which takes most of the time of a cached
 * response. Null, or a promise of null, leaves the request to the route. Never rejects.
 */
export type Shortcut = (request: IncomingMessage) => Promise<PreparedResponse | null> | null;

declare module 'fastify' {
  interface FastifyInstance {
    /** The shortcuts of the mounted routes. */
    shortcuts: Shortcut[];
  }
}

interface ShortcutOptions {
  cors?: Cors | undefined;
  isDraining: () => boolean;
}

/** Tries the shortcuts of a listener before its routes. */
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
    const preparing = isPlain(request) ? findResponse(shortcuts, request) : null;
    const prepared = preparing && (await preparing);
    // The route handles a client that has disconnected.
    if (!prepared || response.closed) return serve(request, response);
    exchange.route = prepared.route;
    send(exchange, prepared);
  };
}

function findResponse(shortcuts: Shortcut[], request: IncomingMessage): ReturnType<Shortcut> {
  for (const shortcut of shortcuts) {
    const preparing = shortcut(request);
    if (preparing) return preparing;
  }
  return null;
}

/** Whether a request has nothing that a listener checks before its routes, or that changes every response. */
function isPlain(request: IncomingMessage): boolean {
  const {
    host = '',
    origin,
    'x-forwarded-proto': proto = 'https',
    'content-length': length,
    'transfer-encoding': coding,
  } = request.headers;
  const isBare = origin === undefined && length === undefined && coding === undefined;
  return (
    isBare && proto === 'https' && request.httpVersion === '1.1' && isValidHost(host) && !hasRepeatedField(request)
  );
}
