import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getApp, getAppRevision, type ReadApp } from '../../registry/get-app.ts';
import type { Registry } from '../../registry/registry.ts';
import { type AcceptedCodings, acceptedCodings, codingOf, encodeStream } from '../content-coding.ts';
import { cutAnswer } from '../cut-answer.ts';
import type { RateLimits } from '../rate-limit.ts';
import { logOf } from '../request-log.ts';
import type { Route } from '../route.ts';
import type { ReadyAnswer } from '../shortcut.ts';
import { answerFrom, bodyFields, cacheFields, knownCoding, tagField } from './app-answer.ts';
import { getAppOperation } from './get-app-operation.ts';
import { getAppShortcut } from './get-app-shortcut.ts';
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
      const revision = (await request.appRevision) as number;
      reply.headers(cacheFields);
      let kept = keptApps.find(id, revision);
      const ready = kept && answerFrom(kept, request.headers);
      if (ready) return send(request, reply, ready);
      const accepted = acceptedCodings(request.headers['accept-encoding']);
      const tag = viewTag(registry, id, revision);
      const known = knownCoding(request.headers['if-none-match'], accepted, tag);
      if (known) return send(request, reply, { status: 304, fields: tagField(tag, known), body: null });
      if (!kept) {
        const { whole, ...read } = await getApp(registry, id);
        if (!whole) return sendStream(request, reply, { ...read, accepted });
        kept = answerOf(registry, read);
        keptApps.keep(kept);
      }
      const coding = codingOf(kept.bodies.identity.length, accepted);
      const body = kept.bodies[coding] ?? (await keptApps.encode(kept, coding));
      return reply.headers(bodyFields(kept.tag, coding)).send(body);
    },

    shortcut: (doors) =>
      getAppShortcut(registry, { route: getAppOperation.path, keptApps, reads: limits.reads }, doors),
  };

  /** A list that is too long to be held. */
  async function sendStream(
    request: FastifyRequest,
    reply: FastifyReply,
    { app: { id }, revision, accepted }: ReadApp & { accepted: AcceptedCodings },
  ): Promise<FastifyReply> {
    const tag = viewTag(registry, id, revision);
    if (request.method === 'HEAD') return sendHeader(request, reply.headers(bodyFields(tag, accepted[0])));
    const stream = await streams.open(id);
    stream.text.once('error', (error) => endByFault(request, reply, error));
    const { body, coding } = encodeStream(stream.text, accepted);
    return reply.headers(bodyFields(viewTag(registry, id, stream.revision), coding)).send(body);
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

/** Before its first byte has left, the answer becomes that of any other fault; later it can only be cut. */
function endByFault(request: FastifyRequest, reply: FastifyReply, error: NodeJS.ErrnoException): void {
  // A reader who went away is no fault.
  if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
  if (reply.raw.headersSent) {
    logOf(request).error({ err: error }, 'an answer was cut');
    cutAnswer(reply.raw.socket);
    return;
  }
  for (const name of ['content-encoding', 'etag']) {
    reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, fields, body }: Omit<ReadyAnswer, 'route'>,
): FastifyReply {
  reply.code(status).headers(fields);
  return body ? reply.send(body) : sendHeader(request, reply);
}

function sendHeader({ method }: FastifyRequest, reply: FastifyReply): FastifyReply {
  // To the framework, nothing as the answer to a HEAD is a body of length 0.
  return method === 'HEAD' ? reply.send(Readable.from([])) : reply.send();
}
