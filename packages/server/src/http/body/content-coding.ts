import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip, gzipSync } from 'node:zlib';

/** The content codings of responses. */
export type ContentCoding = 'gzip' | 'identity';

/** Best first. */
export type AcceptedCodings = [ContentCoding, ...ContentCoding[]];

/** On lists of ids higher levels save 1% more, in twice the time. */
const gzipOptions = { level: 3 };

/** Below this size gzip saves no packet. */
const gzipBytesMin = 1_024;
/** Up to this size compressing takes less time than handing the body to another thread. */
const gzipSyncBytesMax = 32_768;
const compress = promisify(gzip);

/** An identity coding that the field does not name is acceptable, after all that it names. */
const unnamedIdentityWeight = 0.0001;
const element = /^\s*([^\s;=]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/**
 * The codings that an Accept-Encoding accepts, best first (RFC 9110, 12.5.3). A request that accepts none of them gets
 * a response without a coding.
 */
export function acceptedCodings(field: string | undefined): AcceptedCodings {
  if (!field) return ['identity'];
  const weights = new Map<string, number>();
  for (const [, coding = '', weight = '1'] of field.split(',').map((text) => element.exec(text) ?? [])) {
    weights.set(coding.toLowerCase(), Number(weight));
  }
  const any = weights.get('*');
  const gzipWeight = weights.get('gzip') ?? weights.get('x-gzip') ?? any ?? 0;
  const identityWeight = weights.get('identity') ?? any ?? unnamedIdentityWeight;
  if (gzipWeight === 0) return ['identity'];
  if (identityWeight === 0) return ['gzip'];
  return gzipWeight >= identityWeight ? ['gzip', 'identity'] : ['identity', 'gzip'];
}

/** The coding for a body of this size: a small one stays uncompressed if the client accepts that. */
export function codingOf(bytes: number, accepted: AcceptedCodings): ContentCoding {
  return bytes < gzipBytesMin && accepted.includes('identity') ? 'identity' : accepted[0];
}

export async function encode(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'identity') return body;
  return body.length <= gzipSyncBytesMax ? gzipSync(body, gzipOptions) : await compress(body, gzipOptions);
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
