import { createServer, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { columns, type EventRow } from '../../packages/server/src/storage/tables.ts';

/**
 * The limit of durable updates: the smallest program over `node:http` and `node:sqlite` that stores the two rows of an
 * update of a description, without tokens, validation or preconditions. All requests of one turn of the event loop share a
 * commit, and get their bodies back once it is on disk.
 */
const [file = '', port = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16384');
const updateApp = database.prepare(
  'update apps set short_description = ?, revision = revision + 1, updated_at = ? where id = ?',
);
const insertEvent = database.prepare(
  `insert into events (${columns.events.join(', ')}) values (${columns.events.map(() => '?').join(', ')})`,
);

interface Update {
  id: string;
  body: Buffer;
  response: ServerResponse;
}

let waiting: Update[] = [];
let events = 0;

createServer((request, response) => {
  if (request.method !== 'PATCH') {
    response.writeHead(404).end();
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    waiting.push({ id: request.url?.split('/').at(-1) ?? '', body: Buffer.concat(chunks), response });
    if (waiting.length === 1) setImmediate(commit);
  });
}).listen(Number(port), '127.0.0.1');

function commit(): void {
  const group = waiting;
  waiting = [];
  database.exec('begin immediate');
  for (const update of group) store(update);
  database.exec('commit');
  for (const { body, response } of group) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  }
}

function store({ id, body }: Update): void {
  const { shortDescription } = JSON.parse(body.toString()).listingInfo;
  const at = Date.now();
  updateApp.run(shortDescription, at, id);
  const event: Partial<EventRow> = {
    id: `event_${at}_${process.pid}_${events++}`,
    type: 'app.updated',
    occurred_at: at,
    app_id: id,
    subject_id: id,
    actor: 'token_limit',
    before: body.toString(),
    after: body.toString(),
  };
  insertEvent.run(...columns.events.map((name) => event[name] ?? null));
}
