import type { IncomingMessage } from 'node:http';
import type { RecordedResponse } from '../deliveries/delivery-request.ts';
import { type Excerpt, plainText } from './excerpt.ts';

const headerCharactersMax = 2_048;
/** Headers whose values may give access to the receiver. */
const secretName = /auth|cookie|credential|key|password|secret|session|signature|token/i;

/** The part of a response that is stored besides its status and the start of its text. */
export function recordedResponse(
  { rawHeaders }: IncomingMessage,
  { rest, isBinary, isCut }: Excerpt,
): RecordedResponse {
  const all = pairsOf(rawHeaders);
  const headers = fitting(all);
  return { headers, rest, isBinary, isCut: isCut || headers.length < all.length };
}

function pairsOf(raw: string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => {
    const [name = '', value = ''] = raw.slice(2 * at, 2 * at + 2);
    return [name.toLowerCase(), secretName.test(name) ? '(not stored)' : plainText(value)];
  });
}

/** The first headers that fit. */
function fitting(headers: [string, string][]): [string, string][] {
  let characters = 0;
  const end = headers.findIndex(([name, value]) => {
    characters += name.length + value.length;
    return characters > headerCharactersMax;
  });
  return end === -1 ? headers : headers.slice(0, end);
}

/** A URL without the parts that are most often secret: credentials, query and fragment. Empty if it is not a URL. */
export function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url ? url.origin + url.pathname : '';
}
