import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip, gzipSync } from 'node:zlib';

/** What an answer can be sent in. */
export type ContentCoding = 'gzip' | 'identity';

/** The best first. */
export type AcceptedCodings = [ContentCoding, ...ContentCoding[]];

/** Of lists of ids higher levels save a hundredth more, at twice the time. */
const gzipOptions = { level: 3 };

/** Below it, gzip saves no packet. */
const gzipBytesMin = 1_024;
/** Up to here compressing takes less time than handing it to another thread. */
const gzipSyncBytesMax = 32_768;
const compress = promisify(gzip);

/** Where an unnamed identity stands: acceptable, and after all that is named. */
const unnamedIdentityWeight = 0.0001;
const element = /^\s*([^\s;=]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/**
 * The codings of an answer that an Accept-Encoding takes, the best first (RFC 9110, 12.5.3). A request that
 * takes none of them is answered without a coding.
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

/** What a body of so many bytes is best sent in: a small one as it is, if it may. */
export function codingOf(bytes: number, accepted: AcceptedCodings): ContentCoding {
  return bytes < gzipBytesMin && accepted.includes('identity') ? 'identity' : accepted[0];
}

export async function encode(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'identity') return body;
  return body.length <= gzipSyncBytesMax ? gzipSync(body, gzipOptions) : await compress(body, gzipOptions);
}

/** The same for a body that comes piece by piece, in the best coding. What goes wrong on either side ends both. */
export function encodeStream(body: Readable, [best]: AcceptedCodings): { body: Readable; coding: ContentCoding } {
  if (best === 'identity') return { body, coding: best };
  return { body: pipeline(body, createGzip(gzipOptions), () => {}), coding: best };
}
