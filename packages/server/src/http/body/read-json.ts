import type { IncomingMessage } from 'node:http';
import { bodyTooLarge } from '../problem/parser-problem.ts';
import { HttpProblem } from '../problem/problem.ts';
import { parseJson } from './json.ts';

/** More of a refused body may follow. */
const closing = { connection: 'close' };

/** The parsed body of a request, not validated; `bytesMax` 0 means no limit. A refused body closes the connection. */
export async function readJson(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  requireConnected(request);
  // Without a media type there is no body: a request that has one is refused by its header.
  if (request.headers['content-type'] === undefined) return parseJson(Buffer.alloc(0));
  const body = await readBody(request, bytesMax);
  try {
    return parseJson(body);
  } catch (error) {
    throw error instanceof HttpProblem ? new HttpProblem(error.code, error.message, closing) : error;
  }
}

/** Refuses a request whose client has disconnected: waiting for its body would never end. */
export function requireConnected({ destroyed }: IncomingMessage): void {
  if (destroyed) throw new HttpProblem('malformed_request', 'The connection was closed.');
}

function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const isTooLarge = (length: number) => bytesMax > 0 && length > bytesMax;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (isTooLarge(bytes)) refuse();
      else chunks.push(chunk);
    };
    const refuse = () => {
      // What follows is read, so that the client reads the response, and not kept.
      request.off('data', onData).resume();
      reject(new HttpProblem(...bodyTooLarge, closing));
    };
    if (isTooLarge(Number(request.headers['content-length'] ?? 0))) {
      refuse();
      return;
    }
    request
      .on('data', onData)
      .once('end', () => resolve(Buffer.concat(chunks, bytes)))
      .once('error', reject);
  });
}
