import type { Readable } from 'node:stream';

const bytesMax = 1_024;

/** The first part of a response as text. Reads no more than that, and returns what arrived if the response breaks off. */
export async function excerptOf(response: Readable): Promise<string> {
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
  const start = Buffer.concat(chunks).subarray(0, bytesMax);
  // A character split at the end is omitted.
  return plainText(new TextDecoder().decode(start, { stream: bytes > bytesMax }));
}

/** Replaces control characters that a terminal or page might interpret, and characters that a database rejects. */
export function plainText(text: string): string {
  return text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, '\ufffd');
}
