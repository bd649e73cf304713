import type { Readable } from 'node:stream';

const bytesMax = 1_024;

/** The beginning of an answer, as text. Reads no more of it than that, and takes what there is when it breaks off. */
export async function excerptOf(answer: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk);
      bytes += chunk.length;
      // Leaving the loop cuts the connection.
      if (bytes > bytesMax) break;
    }
  } catch {
    // The status tells what became of the delivery.
  }
  const beginning = Buffer.concat(chunks).subarray(0, bytesMax);
  // A character that is cut in two at the end is left out.
  return plainText(new TextDecoder().decode(beginning, { stream: bytes > bytesMax }));
}

/** Without what a terminal or a page may take for more than text, and what a database cannot hold. */
export function plainText(text: string): string {
  return text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, '\ufffd');
}
