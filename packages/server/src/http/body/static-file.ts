import { createHash } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCodings, matchesWeakly, tagIn } from './header-fields.ts';

/** Bytes that do not change while the process runs. They are compressed once, when a client first accepts that. */
export class StaticFile {
  readonly #mediaType: string;
  readonly #bytes: Buffer;
  #gzip: Buffer | undefined;
  #tag: string | undefined;

  constructor(mediaType: string, bytes: Buffer) {
    this.#mediaType = mediaType;
    this.#bytes = bytes;
  }

  send({ headers }: FastifyRequest, reply: FastifyReply) {
    reply.header('content-type', this.#mediaType).header('vary', 'Accept-Encoding');
    const [coding] = acceptedCodings(headers['accept-encoding']);
    if (coding === 'identity') return reply.send(this.#bytes);
    this.#gzip ??= gzipSync(this.#bytes, { level: constants.Z_BEST_COMPRESSION });
    return reply.header('content-encoding', coding).send(this.#gzip);
  }

  /** The same with an ETag, and a 304 for a client that has the file. */
  sendConditionally(request: FastifyRequest, reply: FastifyReply) {
    this.#tag ??= createHash('sha256').update(this.#bytes).digest('base64url').slice(0, 22);
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': accepted } = request.headers;
    const codings = acceptedCodings(accepted);
    const tags = codings.map((coding) => tagIn(coding, this.#tag ?? ''));
    const known = ifNoneMatch === undefined ? undefined : tags.find((tag) => matchesWeakly(ifNoneMatch, tag));
    reply.header('cache-control', 'no-cache').header('etag', `"${known ?? tags[0]}"`);
    return known === undefined ? this.send(request, reply) : reply.code(304).header('vary', 'Accept-Encoding').send();
  }
}
