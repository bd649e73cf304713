import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** A statement with its values, as sent by a client. */
export interface SentStatement {
  sql: string;
  values: (string | null)[];
}

/**
 * A proxy between a client and PostgreSQL, which records the executed statements (PostgreSQL's manual, 54.7, Message
 * Formats). So the baseline executes exactly what the registry sends.
 */
export class StatementRecorder {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #sent: SentStatement[] = [];

  static async start(url: string): Promise<StatementRecorder> {
    const target = new URL(url);
    const socketPath = join(
      target.searchParams.get('host') ?? '',
      `.s.PGSQL.${target.searchParams.get('port') ?? '5432'}`,
    );
    const recorder = new StatementRecorder(socketPath);
    recorder.#server.listen(0, '127.0.0.1');
    await once(recorder.#server, 'listening');
    return recorder;
  }

  constructor(socketPath: string) {
    this.#server = createServer((client) => {
      const server = connect(socketPath);
      const reader = new MessageReader((statement) => this.#sent.push(statement));
      client.on('data', (bytes: Buffer) => reader.read(bytes));
      client.pipe(server).pipe(client);
      for (const [socket, other] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => {}).on('close', () => other.destroy());
      }
    });
  }

  /** The URL of the same database through the recorder. */
  urlFor(url: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `postgres://postgres@127.0.0.1:${port}${new URL(url).pathname}`;
  }

  /** The statements since the last call. */
  take(): SentStatement[] {
    const sent = this.#sent;
    this.#sent = [];
    return sent;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Parses the messages of one client. */
class MessageReader {
  readonly #onStatement: (statement: SentStatement) => void;
  readonly #prepared = new Map<string, string>();
  #rest: Buffer = Buffer.alloc(0);
  #isStarted = false;

  constructor(onStatement: (statement: SentStatement) => void) {
    this.#onStatement = onStatement;
  }

  read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      // The first message of a connection has no type.
      const lengthAt = this.#isStarted ? 1 : 0;
      if (this.#rest.length < lengthAt + 4) return;
      const end = lengthAt + this.#rest.readInt32BE(lengthAt);
      if (this.#rest.length < end) return;
      if (this.#isStarted) this.#readMessage(String.fromCharCode(this.#rest[0] ?? 0), this.#rest.subarray(5, end));
      this.#isStarted = true;
      this.#rest = this.#rest.subarray(end);
    }
  }

  #readMessage(type: string, body: Buffer): void {
    const fields = new Fields(body);
    if (type === 'Q') this.#onStatement({ sql: fields.text(), values: [] });
    if (type === 'P') this.#prepared.set(fields.text(), fields.text());
    if (type !== 'B') return;
    fields.text();
    const sql = this.#prepared.get(fields.text()) ?? '';
    for (let left = fields.int16(); left > 0; left -= 1) fields.int16();
    this.#onStatement({ sql, values: Array.from({ length: fields.int16() }, () => fields.value()) });
  }
}

class Fields {
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  text(): string {
    const end = this.#body.indexOf(0, this.#at);
    const text = this.#body.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  int16(): number {
    this.#at += 2;
    return this.#body.readInt16BE(this.#at - 2);
  }

  value(): string | null {
    const length = this.#body.readInt32BE(this.#at);
    this.#at += 4;
    if (length < 0) return null;
    this.#at += length;
    return this.#body.toString('utf8', this.#at - length, this.#at);
  }
}
