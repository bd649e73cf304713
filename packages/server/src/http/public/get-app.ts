import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getApp, getAppRevision } from '../../registry/get-app.ts';
import type { Registry } from '../../registry/registry.ts';
import { acceptedCodings, type ContentCoding, encode, encodeStream } from '../content-coding.ts';
import { cutAnswer } from '../cut-answer.ts';
import { matchesWeakly } from '../entity-tag.ts';
import type { RateLimits } from '../rate-limit.ts';
import type { Route } from '../route.ts';
import { getAppOperation } from './get-app-operation.ts';
import type { AppStreams } from './get-app-stream.ts';

/** Raised when the same app is shown differently by a new release. */
const viewVersion = 1;

export interface GetAppOptions {
  limits: RateLimits;
  streams: AppStreams;
}

/** Get App (interface 4.2). */
export function getAppRoute(registry: Registry, { limits, streams }: GetAppOptions): Route {
  return {
    ...getAppOperation,

    access: { kind: 'platform' },

    async count(holder, _request, reply) {
      const quota = await limits.reads.take(holder.id, holder.readsPerMinute);
      reply.headers(quota.headers);
      if (quota.refusal) throw quota.refusal;
    },

    async handle(request, reply) {
      const { id } = request.params as { id: string };
      const known = request.headers['if-none-match'];
      const accepted = acceptedCodings(request.headers['accept-encoding']);
      reply.header('cache-control', 'private, no-cache').header('vary', 'Accept-Encoding');
      if (known !== undefined) {
        const tag = viewTag(registry, id, await getAppRevision(registry, id));
        // The coding is ours to choose: one that the reader has is the best.
        const coding = accepted.find((coding) => matchesWeakly(known, tagIn(coding, tag)));
        if (coding) return sendHeader(request, reply.code(304).header('etag', `"${tagIn(coding, tag)}"`));
      }
      const { app, revision, whole } = await getApp(registry, id);
      const tag = viewTag(registry, id, revision);
      reply.header('content-type', 'application/json');
      if (whole) {
        const { body, coding } = await encode(Buffer.from(JSON.stringify(app)), accepted);
        return encodedHeader(reply, coding, tag).send(body);
      }
      if (request.method === 'HEAD') return sendHeader(request, encodedHeader(reply, accepted[0], tag));
      const stream = await streams.open(id);
      stream.text.once('error', (error) => endByFault(request, reply, error));
      const { body, coding } = encodeStream(stream.text, accepted);
      return encodedHeader(reply, coding, viewTag(registry, id, stream.revision)).send(body);
    },
  };
}

/** Stands for the whole answer without making it (decision 26). */
function viewTag({ epoch, logoBaseUrl }: Registry, id: string, revision: number): string {
  return createHash('sha256')
    .update(JSON.stringify([viewVersion, epoch, logoBaseUrl, id, revision]))
    .digest('base64url')
    .slice(0, 22);
}

/** Strong tags stand for bytes, so each coding has its own. */
function tagIn(coding: ContentCoding, tag: string): string {
  return coding === 'identity' ? tag : `${tag}-${coding}`;
}

function encodedHeader(reply: FastifyReply, coding: ContentCoding, tag: string): FastifyReply {
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.header('etag', `"${tagIn(coding, tag)}"`);
}

/** Before its first byte has left, the answer becomes that of any other fault; later it can only be cut. */
function endByFault(request: FastifyRequest, reply: FastifyReply, error: NodeJS.ErrnoException): void {
  // A reader who went away is no fault.
  if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
  if (reply.raw.headersSent) {
    request.log.error({ err: error }, 'an answer was cut');
    cutAnswer(reply);
    return;
  }
  for (const name of ['content-encoding', 'etag']) {
    reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
}

function sendHeader({ method }: FastifyRequest, reply: FastifyReply): FastifyReply {
  // To the framework, nothing as the answer to a HEAD is a body of length 0.
  return method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}
