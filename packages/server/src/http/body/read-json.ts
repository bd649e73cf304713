import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../listener/exchange.ts';
import { bodyTooLarge } from '../problem/parser-problem.ts';
import { HttpProblem } from '../problem/problem.ts';
import { parseJson } from './json.ts';

/** The body of a request. */
export interface JsonBody {
  /** Not validated. */
  json: unknown;
  bytes: number;
}

/** Reads and parses the body of a request; `bytesMax` 0 means no limit. A refused body closes the connection. */
export async function readJson(exchange: Exchange, bytesMax: number): Promise<JsonBody> {
  const { request } = exchange;
  requireConnected(request);
  // Without a media type there is no body: a request that has one is refused by its header.
  if (request.headers['content-type'] === undefined) return { json: parseJson(Buffer.alloc(0)), bytes: 0 };
  exchange.closesConnection = true;
  const body = await readBody(request, bytesMax);
  const json = parseJson(body);
  exchange.closesConnection = false;
  return { json, bytes: body.length };
}

/** Refuses a request whose client has disconnected: waiting for its body would never end. */
export function requireConnected({ destroyed }: IncomingMessage): void {
  if (destroyed)
    throw new HttpProblem(
      'malformed_request',
      'The connection was closed before the body was complete. Send the request again.',
    );
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
      // What follows is read and discarded, so that the client reads the response.
      request.off('data', onData).resume();
      reject(new HttpProblem(...bodyTooLarge));
    };
    if (isTooLarge(Number(request.headers['content-length'] ?? 0))) {
      refuse();
      return;
    }
    request
      .on('data', onData)
      .on('end', () => resolve(Buffer.concat(chunks, bytes)))
      .on('error', reject);
  });
}
