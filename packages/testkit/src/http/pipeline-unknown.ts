import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const silenceMsMax = 60_000;
const request = 'GET /unknown HTTP/1.1\r\nHost: localhost\r\n';

/** Sends requests for an unknown path over one connection, without waiting. Resolves to the number of responses. */
export async function pipelineUnknown(port: number, count: number): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(silenceMsMax, () => socket.destroy(new Error('the server does not respond')));
  socket.write(`${`${request}\r\n`.repeat(count - 1)}${request}Connection: close\r\n\r\n`);
  return (await text(socket)).split('HTTP/1.1 404 ').length - 1;
}
