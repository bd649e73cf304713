import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { ResponseParser } from '@appregistrar/testkit/http/response-parser';

/** Sends bytes unchanged, and reads the responses until the server closes the connection. */
export async function exchange(port: number, request: string | Uint8Array): Promise<HttpResponse[]> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(5_000, () => socket.destroy(new Error('the server keeps the connection open')));
  socket.write(request);
  return parseResponses(await buffer(socket));
}

/** The responses in all that a connection has received. */
export function parseResponses(received: string | Buffer): HttpResponse[] {
  const parser = new ResponseParser();
  parser.add(Buffer.from(received));
  const responses: HttpResponse[] = [];
  for (let response = parser.take(); response; response = parser.take()) responses.push(response);
  return responses;
}
