import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getApp, getAppRevision, type ReadApp } from '../../registry/get-app.ts';
import type { Registry } from '../../registry/registry.ts';
import {
  type AcceptedCodings,
  acceptedCodings,
  type ContentCoding,
  codingOf,
  encodeStream,
} from '../content-coding.ts';
import { cutAnswer } from '../cut-answer.ts';
import { matchesWeakly } from '../entity-tag.ts';
import type { RateLimits } from '../rate-limit.ts';
import type { Route } from '../route.ts';
import { getAppOperation } from './get-app-operation.ts';
import type { AppStreams } from './get-app-stream.ts';
import { type KeptApp, KeptApps, ownBytes } from './kept-apps.ts';

/** Raised when the same app is shown differently by a new release. */
const viewVersion = 1;

export interface GetAppOptions {
  limits: RateLimits;
  streams: AppStreams;
}

/** Twelve thousand apps with ten installations. */
const keptBytesMax = 33_554_432;

/** Get App (interface 4.2). */
export function getAppRoute(registry: Registry, { limits, streams }: GetAppOptions): Route {
  const keptApps = new KeptApps(keptBytesMax);
  return {
    ...getAppOperation,

    access: { kind: 'platform' },

    ask(request) {
      const revision = getAppRevision(registry, idOf(request));
      // What is refused before that is told as such.
      revision.catch(() => {});
      request.appRevision = revision;
    },

    async count(holder, _request, reply) {
      const quota = await limits.reads.take(holder.id, holder.readsPerMinute);
      reply.headers(quota.headers);
      if (quota.refusal) throw quota.refusal;
    },

    async handle(request, reply) {
      const id = idOf(request);
      const known = request.headers['if-none-match'];
      const accepted = acceptedCodings(request.headers['accept-encoding']);
      reply.header('cache-control', 'private, no-cache').header('vary', 'Accept-Encoding');
      const revision = (await request.appRevision) as number;
      let kept = keptApps.find(id, revision);
      if (known !== undefined) {
        const tag = kept?.tag ?? viewTag(registry, id, revision);
        // The coding is ours to choose: one that the reader has is the best.
        const coding = accepted.find((coding) => matchesWeakly(known, tagIn(coding, tag)));
        if (coding) return sendHeader(request, reply.code(304).header('etag', `"${tagIn(coding, tag)}"`));
      }
      reply.header('content-type', 'application/json');
      if (!kept) {
        const { whole, ...read } = await getApp(registry, id);
        if (!whole) return sendStream(request, reply, { ...read, accepted });
        kept = answerOf(registry, read);
        keptApps.keep(kept);
      }
      const coding = codingOf(kept.bodies.identity.length, accepted);
      const body = kept.bodies[coding] ?? (await keptApps.encode(kept, coding));
      return encodedHeader(reply, coding, kept.tag).send(body);
    },
  };

  /** A list that is too long to be held. */
  async function sendStream(
    request: FastifyRequest,
    reply: FastifyReply,
    { app: { id }, revision, accepted }: ReadApp & { accepted: AcceptedCodings },
  ): Promise<FastifyReply> {
    const tag = viewTag(registry, id, revision);
    if (request.method === 'HEAD') return sendHeader(request, encodedHeader(reply, accepted[0], tag));
    const stream = await streams.open(id);
    stream.text.once('error', (error) => endByFault(request, reply, error));
    const { body, coding } = encodeStream(stream.text, accepted);
    return encodedHeader(reply, coding, viewTag(registry, id, stream.revision)).send(body);
  }
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

function answerOf(registry: Registry, { app, revision }: ReadApp): KeptApp {
  const { id } = app;
  return { id, revision, tag: viewTag(registry, id, revision), bodies: { identity: ownBytes(JSON.stringify(app)) } };
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
