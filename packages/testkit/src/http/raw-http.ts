import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Answer } from './response.ts';

/** Sends bytes as they are, and reads the answers until the server ends the connection. */
export async function exchange(port: number, request: string | Uint8Array): Promise<Answer[]> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(5_000, () => socket.destroy(new Error('the server keeps the connection open')));
  socket.write(request);
  return parseAnswers(await text(socket.setEncoding('latin1')));
}

/** The responses in what a server has sent; each must have a Content-Length. */
export function parseAnswers(received: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...fields] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 2)]),
    );
    const body = rest.slice(end + 4, end + 4 + Number(headers['content-length'] ?? 0));
    answers.push(new Answer(Number(statusLine.split(' ')[1]), headers, body));
    rest = rest.slice(end + 4 + body.length);
  }
  return answers;
}
