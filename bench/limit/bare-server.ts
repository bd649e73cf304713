import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * The limit of `node:http`, without routing, tokens or database. Sends the same response to every request, or echoes
 * its body.
 */
const [file = '', port = ''] = process.argv.slice(2);
const { status, headers, body, echoes } = JSON.parse(readFileSync(file, 'utf8'));
const added = ['date', 'connection', 'keep-alive', 'transfer-encoding', ...(echoes ? ['content-length'] : [])];
const fields = Object.fromEntries(Object.entries<string>(headers).filter(([name]) => !added.includes(name)));
const bytes = Buffer.from(body);

createServer(echoes ? echo : replay).listen(Number(port), '127.0.0.1');

function replay(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(status, fields).end(bytes);
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const read = Buffer.concat(chunks);
    response.writeHead(status, { ...fields, 'content-length': read.length }).end(read);
  });
}
