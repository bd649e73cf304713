import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AcceptedCodings,
  acceptedCodings,
  type ContentCoding,
  codingOf,
  isCompressible,
  matchesWeakly,
  tagIn,
  wholeCodings,
} from './header-fields.ts';

/** The highest one takes six times as long, and saves 7% more. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const gzipOptions = { level: constants.Z_BEST_COMPRESSION };

/** Bytes that do not change while the process runs. They are compressed once in each coding, when a client first accepts it. */
export class StaticFile {
  readonly #mediaType: string;
  readonly #bytes: Buffer;
  readonly #encoded = new Map<ContentCoding, Promise<Buffer>>();
  #tag: string | undefined;

  constructor(mediaType: string, bytes: Buffer) {
    this.#mediaType = mediaType;
    this.#bytes = bytes;
  }

  async send(request: FastifyRequest, reply: FastifyReply) {
    const coding = codingOf(this.#bytes.length, this.#accepted(request));
    reply.headers({ 'content-type': this.#mediaType, ...this.#vary() });
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.send(await this.#encode(coding));
  }

  /** The same with an ETag, and a 304 for a client that has the file. */
  async sendConditionally(request: FastifyRequest, reply: FastifyReply) {
    this.#tag ??= createHash('sha256').update(this.#bytes).digest('base64url').slice(0, 22);
    const { 'if-none-match': ifNoneMatch } = request.headers;
    const accepted = this.#accepted(request);
    const sent = tagIn(codingOf(this.#bytes.length, accepted), this.#tag);
    const tags = accepted.map((coding) => tagIn(coding, this.#tag ?? ''));
    const known = ifNoneMatch === undefined ? undefined : tags.find((tag) => matchesWeakly(ifNoneMatch, tag));
    reply.header('cache-control', 'no-cache').header('etag', `"${known ?? sent}"`);
    return known === undefined ? this.send(request, reply) : reply.code(304).headers(this.#vary()).send();
  }

  #accepted({ headers }: FastifyRequest): AcceptedCodings {
    return isCompressible(this.#mediaType) ? acceptedCodings(headers['accept-encoding'], wholeCodings) : ['identity'];
  }

  #vary(): Record<string, string> {
    return isCompressible(this.#mediaType) ? { vary: 'Accept-Encoding' } : {};
  }

  /** In another thread: the largest files take a tenth of a second. */
  #encode(coding: ContentCoding): Promise<Buffer> {
    const encoded = this.#encoded.get(coding) ?? encodeOnce(this.#bytes, coding);
    this.#encoded.set(coding, encoded);
    return encoded;
  }
}

async function encodeOnce(bytes: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'identity') return bytes;
  return coding === 'br' ? promisify(brotliCompress)(bytes, brotliOptions) : promisify(gzip)(bytes, gzipOptions);
}
