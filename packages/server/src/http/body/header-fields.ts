import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, createGzip, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../features/access/access-token.ts';
import type { Caller } from '../../kernel/registry.ts';
import { PreconditionFailed, type RevisionCondition } from '../../kernel/revision.ts';
import { traceparentOf } from '../listener/request-context.ts';
import { HttpProblem } from '../problem/problem.ts';

/** The content codings of responses. */
export type ContentCoding = 'br' | 'gzip' | 'identity';

/** Best first. */
export type AcceptedCodings = [ContentCoding, ...ContentCoding[]];

/** On lists of ids higher levels save 1% more, in twice the time. */
const gzipOptions = { level: 3 };
/** It takes as long as gzip, and saves a tenth more. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Below this size compressing saves no packet. */
const compressedBytesMin = 1_024;
/** Up to this size compressing takes less time than handing the body to another thread. */
const compressSyncBytesMax = 32_768;
const [gzipApart, brotliApart] = [promisify(gzip), promisify(brotliCompress)];

/** An identity coding that the field does not name is acceptable, after all that it names. */
const unnamedIdentityWeight = 0.0001;
const element = /^\s*([^\s;=]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** The codings of what is compressed as a whole, best first. */
export const wholeCodings = ['br', 'gzip'] as const;

/**
 * The codings that an Accept-Encoding accepts of those that are possible, best first (RFC 9110, 12.5.3). A request that
 * accepts none of them gets a response without a coding.
 */
export function acceptedCodings(
  field: string | undefined,
  possible: readonly Exclude<ContentCoding, 'identity'>[] = ['gzip'],
): AcceptedCodings {
  if (!field) return ['identity'];
  const weights = new Map<string, number>();
  for (const [, coding = '', weight = '1'] of field.split(',').map((text) => element.exec(text) ?? [])) {
    weights.set(coding.toLowerCase(), Number(weight));
  }
  const any = weights.get('*');
  const weightOf = (coding: ContentCoding) => {
    if (coding === 'identity') return weights.get(coding) ?? any ?? unnamedIdentityWeight;
    return weights.get(coding) ?? weights.get(`x-${coding}`) ?? any ?? 0;
  };
  const accepted = [...possible, 'identity' as const].filter((coding) => weightOf(coding) > 0);
  const [best, ...others] = accepted.toSorted((one, other) => weightOf(other) - weightOf(one));
  return best === undefined ? ['identity'] : [best, ...others];
}

/** The coding for a body of this size: a small one stays uncompressed if the client accepts that. */
export function codingOf(bytes: number, accepted: AcceptedCodings): ContentCoding {
  return bytes < compressedBytesMin && accepted.includes('identity') ? 'identity' : accepted[0];
}

export async function encode(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'identity') return body;
  const isSmall = body.length <= compressSyncBytesMax;
  if (coding === 'br')
    return isSmall ? brotliCompressSync(body, brotliOptions) : await brotliApart(body, brotliOptions);
  return isSmall ? gzipSync(body, gzipOptions) : await gzipApart(body, gzipOptions);
}

const compressible = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?json)/;

/** Whether bytes of a media type become fewer. */
export function isCompressible(mediaType: string): boolean {
  return compressible.test(mediaType);
}

/** The body of a response in the best coding that the client accepts. A stream stays as it is, so that nothing is held back. */
export async function compressResponse(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<unknown> {
  const isWhole = typeof body === 'string' || body instanceof Buffer;
  if (!isWhole || reply.hasHeader('content-encoding') || !isCompressible(`${reply.getHeader('content-type')}`))
    return body;
  reply.header('vary', 'Accept-Encoding');
  const bytes = Buffer.from(body);
  const coding = codingOf(bytes.length, acceptedCodings(headers['accept-encoding'], wholeCodings));
  if (coding === 'identity') return body;
  reply.header('content-encoding', coding).removeHeader('content-length');
  return encode(bytes, coding);
}

/** Encodes a streamed body in the best coding. An error in either stream destroys both. */
export function encodeStream(body: Readable, [best]: AcceptedCodings): { body: Readable; coding: ContentCoding } {
  if (best === 'identity') return { body, coding: best };
  return { body: pipeline(body, createGzip(gzipOptions), () => {}), coding: best };
}

/** A strong tag identifies bytes, so each content coding has its own. */
export function tagIn(coding: ContentCoding, tag: string): string {
  return coding === 'identity' ? tag : `${tag}-${coding}`;
}

const entityTag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

interface EntityTag {
  tag: string;
  isWeak: boolean;
}

/** Whether an If-Match has this tag, as a strong one, or is `*` (RFC 9110, 13.1.1). */
export function matchesStrongly(field: string, tag: string): boolean {
  return listedTags(field)?.some((listed) => !listed.isWeak && listed.tag === tag) ?? true;
}

/** Whether an If-None-Match has this tag, strong or weak, or is `*` (RFC 9110, 13.1.2). */
export function matchesWeakly(field: string, tag: string): boolean {
  if (field === `"${tag}"`) return true;
  return listedTags(field)?.some((listed) => listed.tag === tag) ?? true;
}

/** Whether an If-Match or If-None-Match has the right syntax. */
export function isEntityTags(field: string): boolean {
  // A tag may contain commas. No field contains NUL.
  const elements = field.replaceAll(entityTag, '\0').split(',');
  return field.trim() === '*' || elements.every((text) => ['', '\0'].includes(text.trim()));
}

/** The tags in an If-Match or If-None-Match; null for `*`. */
function listedTags(field: string): EntityTag[] | null {
  if (field.trim() === '*') return null;
  return [...field.matchAll(entityTag)].map(([, weak, tag = '']) => ({ tag, isWeak: weak !== undefined }));
}

/** The preconditions of a change (RFC 9110, 13.2.2). */
export function revisionCondition({
  'if-match': ifMatch,
  'if-none-match': ifNoneMatch,
}: IncomingHttpHeaders): RevisionCondition {
  const expected = ifMatch === undefined ? null : listedTags(ifMatch);
  const excluded = ifNoneMatch === undefined ? [] : listedTags(ifNoneMatch);
  return {
    ifRevision: expected ? tagsOf(expected.filter(({ isWeak }) => !isWeak)) : undefined,
    unlessRevision: excluded ? tagsOf(excluded) : 'any',
  };
}

/** Refuses the preconditions of a change that would ignore them, as it changes no resource with a tag, or several. */
export function refuseConditions(headers: IncomingHttpHeaders): void {
  for (const name of ['If-Match', 'If-None-Match']) {
    if (headers[name.toLowerCase()] === undefined) continue;
    const detail = `This operation does not change one resource with an ETag, so it cannot honour ${name}. Omit the header.`;
    throw new HttpProblem('malformed_request', detail);
  }
}

/** Does a change. Its refusal by a precondition has the current `ETag`. */
export async function withCurrentTag<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error;
    throw new HttpProblem(error.code, error.message, { etag: error.etag });
  }
}

function tagsOf(tags: EntityTag[]): string[] {
  return tags.map(({ tag }) => tag);
}

const visible = /^[\x21-\x7e]{1,255}$/;
/** RFC 9651, 3.3.3: a backslash escapes a quote or a backslash, and nothing else. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The key in an Idempotency-Key field: a structured-field string, as the IETF draft has it, or the bare
 * characters, as many clients send it. Both forms of one key are the same key.
 */
export function idempotencyKey(field: string | string[] | undefined): string | undefined {
  if (field === undefined) return undefined;
  const text = String(field).trim();
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') : text;
  if (key !== undefined && visible.test(key)) return key;
  throw new HttpProblem(
    'malformed_request',
    'The Idempotency-Key must be 1 to 255 visible ASCII characters, with or without quotes around them.',
  );
}

/** Of a response that repeats the first one to a key. */
export const replayedField = { 'idempotency-replayed': 'true' };

/** The principal of the request's token as the author of a change that a repeat with the same key does not make again. */
export function callerOf(
  { id, headers }: { id: string; headers: IncomingHttpHeaders },
  principal: Principal,
  onReplay: () => void,
): Caller {
  const key = idempotencyKey(headers['idempotency-key']);
  return {
    actor: principal.id,
    requestId: id,
    traceparent: traceparentOf(headers),
    idempotency: key === undefined ? undefined : { key, onReplay },
  };
}
