import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemPath } from '@appregistrar/testkit/programs/system-programs';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import pg from 'pg';

/** PgBouncer refuses to run as root, so root starts it as the user `nobody`. */
const runAs = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const startMsMax = 30_000;

/** Where it finds the database. */
interface PooledServer {
  /** Of a socket too. */
  host: string;
  port: number;
  database: string;
}

/** PgBouncer with the configuration of `docs/postgresql.md`, except for addresses and paths. */
export class PgBouncer {
  readonly #process: StartedProcess;
  readonly #folder: string;
  readonly #port: number;

  static async start(configuration: string, server: PooledServer): Promise<PgBouncer> {
    const folder = temporaryFolder('pgbouncer-');
    const port = await freePort();
    const made = [
      ['host=127.0.0.1 port=5432 dbname=registry', `host=${server.host} port=${server.port} dbname=${server.database}`],
      ['listen_port = 6432', `listen_port = ${port}\nunix_socket_dir = ${folder}`],
      ['/etc/pgbouncer/', `${folder}/`],
    ].reduce((text, [shown = '', used = '']) => {
      if (!text.includes(shown)) throw new Error(`docs/postgresql.md no longer shows ${shown}`);
      return text.replaceAll(shown, used);
    }, configuration);
    writeFileSync(join(folder, 'pgbouncer.ini'), made);
    writeFileSync(join(folder, 'userlist.txt'), '"postgres" "any"\n');
    if (runAs.uid !== undefined) chownSync(folder, runAs.uid, runAs.gid);
    const bouncer = new PgBouncer(folder, port);
    await bouncer.#untilListening();
    return bouncer;
  }

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    const env = { PATH: systemPath };
    this.#process = new StartedProcess(['pgbouncer', join(folder, 'pgbouncer.ini')], { ...runAs, env, cwd: folder });
  }

  get url(): string {
    return `postgres://postgres:any@127.0.0.1:${this.#port}/registry`;
  }

  async stop(): Promise<void> {
    await this.#process.end('SIGINT');
    removeFolder(this.#folder);
  }

  async #untilListening(): Promise<void> {
    const deadline = performance.now() + startMsMax;
    while (!(await this.#isListening())) {
      if (this.#process.hasEnded || performance.now() > deadline)
        throw new Error(`PgBouncer does not start: ${this.#process.output}`);
      await sleep(20);
    }
  }

  async #isListening(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url });
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  }
}
