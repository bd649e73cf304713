import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicOperations } from '../../contract/operations/public-operations.ts';
import { getAppRevision } from '../../registry/apps/get-app.ts';
import type { Registry } from '../../registry/registry.ts';
import { acceptedCodings, encodeStream } from '../body/content-coding.ts';
import type { RateLimits } from '../limits/rate-limit.ts';
import { destroyConnection } from '../listener/destroy-connection.ts';
import { logOf } from '../listener/request-log.ts';
import { type Route, route } from '../listener/route.ts';
import {
  type AppResponse,
  AppResponses,
  bodyFields,
  cacheFields,
  notModified,
  requireMatch,
  viewTag,
} from './app-response.ts';
import { getAppShortcut } from './get-app-shortcut.ts';
import type { AppStreams } from './get-app-stream.ts';

export interface GetAppOptions {
  limits: RateLimits;
  streams: AppStreams;
}

/** Get App (interface 4.2). */
export function getAppRoute(registry: Registry, { limits, streams }: GetAppOptions): Route {
  const responses = new AppResponses(registry);
  const { method, path, kind } = publicOperations.getApp;
  return route({
    method,
    path,
    access: { kind },

    prefetch({ params, raw }) {
      const revision = getAppRevision(registry, params.id);
      // Awaited only once nothing else refuses the request.
      revision.catch(() => {});
      raw.exchange.appRevision = revision;
    },

    count(holder, _request, reply) {
      const quota = limits.reads.take(holder.id, holder.readsPerMinute);
      reply.headers(quota.headers);
      if (quota.problem) throw quota.problem;
    },

    async handle(request, reply) {
      const { id } = request.params;
      const revision = await (request.raw.exchange.appRevision ?? getAppRevision(registry, id));
      const response = await responses.make(id, revision, request.headers);
      return response ? send(request, reply, response) : sendStream(request, reply, { id, revision });
    },

    shortcut: (options) => getAppShortcut(registry, { route: path, responses, reads: limits.reads }, options),
  });

  /** Streams an app whose list is too long to be cached. */
  async function sendStream(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, revision }: { id: string; revision: string },
  ): Promise<FastifyReply> {
    const { headers, method } = request;
    const accepted = acceptedCodings(headers['accept-encoding']);
    const tag = viewTag(registry, id, revision);
    requireMatch(tag, headers, accepted[0]);
    const known = notModified(tag, headers, accepted);
    if (known) return send(request, reply, known);
    if (method === 'HEAD')
      return sendHeader(request, reply.headers({ ...cacheFields, ...bodyFields(tag, accepted[0]) }));
    const { text, tag: openedTag } = await open(id, headers);
    text.once('error', (error) => abortStream(request, reply, error));
    const { body, coding } = encodeStream(text, accepted);
    return reply.headers({ ...cacheFields, ...bodyFields(openedTag, coding) }).send(body);
  }

  /** Opens the stream of an app, which may have changed since its revision was looked up. */
  async function open(id: string, headers: IncomingHttpHeaders): Promise<{ text: Readable; tag: string }> {
    const { text, revision } = await streams.open(id);
    const tag = viewTag(registry, id, revision);
    try {
      requireMatch(tag, headers, acceptedCodings(headers['accept-encoding'])[0]);
      return { text, tag };
    } catch (problem) {
      text.destroy();
      throw problem;
    }
  }
}

/** Before its first byte is sent, the response becomes that of any other error; later it can only be aborted. */
function abortStream(request: FastifyRequest, reply: FastifyReply, error: NodeJS.ErrnoException): void {
  // The client disconnected, which is not an error.
  if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
  if (reply.raw.headersSent) {
    logOf(request).error({ err: error }, 'a response was aborted');
    destroyConnection(reply.raw.socket);
    return;
  }
  for (const name of ['content-encoding', 'etag']) {
    reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
}

function send(request: FastifyRequest, reply: FastifyReply, { status, fields, body }: AppResponse): FastifyReply {
  reply.code(status).headers(fields);
  return body ? reply.send(body) : sendHeader(request, reply);
}

function sendHeader({ method }: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The framework would take an empty response to a HEAD as a body of length 0.
  return method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}
