import type { Readable } from 'node:stream';

const startBytesMax = 1_024;
const bytesMax = 4_096;

/** The first part of a response as text. */
export interface Excerpt {
  /** Its first KiB. */
  start: string;
  /** What follows, up to 4 KiB in total; empty if it is not text. */
  rest: string;
  /** Whether it is not UTF-8 text. */
  isBinary: boolean;
  /** Whether more follows. */
  isCut: boolean;
}

/** Reads at most that much of a response, and returns what arrived if it breaks off. */
export async function excerptOf(response: Readable): Promise<Excerpt> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      // Leaving the loop closes the connection.
      if (bytes > bytesMax) break;
    }
  } catch {
    // The status alone decides the outcome of the delivery.
  }
  const body = Buffer.concat(chunks);
  const start = textOf(body, startBytesMax);
  const isBinary = !isText(body.subarray(0, bytesMax));
  const rest = isBinary ? '' : textOf(body, bytesMax).slice(start.length);
  return { start, rest, isBinary, isCut: bytes > bytesMax };
}

/** Replaces control characters that a terminal or page might interpret, and characters that a database rejects. */
export function plainText(text: string): string {
  return text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, '\ufffd');
}

/** A character split at the end is omitted. */
function textOf(body: Buffer, max: number): string {
  return plainText(new TextDecoder().decode(body.subarray(0, max), { stream: body.length > max }));
}

function isText(body: Buffer): boolean {
  if (body.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true });
    return true;
  } catch {
    return false;
  }
}
