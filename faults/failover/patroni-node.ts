import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trySend } from '@appregistrar/testkit/http/send';
import { adaptBlock } from '@appregistrar/testkit/pages/operating-page';
import { postgresPrograms, systemPath } from '@appregistrar/testkit/programs/system-programs';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import type { TcpProxy } from '@appregistrar/testkit/system/tcp-proxy';
import { processTree, sendSignal } from './process-tree.ts';
import { query } from './query.ts';
import { runAs } from './run-as.ts';

interface NodeParts {
  name: string;
  /** Its own. */
  folder: string;
  /** Its way to etcd. */
  proxy: TcpProxy;
  /** The block of the page. */
  configuration: string;
}

/** One PostgreSQL server and the Patroni that runs it. */
export class PatroniNode {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  process: StartedProcess | undefined;
  readonly #folder: string;
  readonly #proxy: TcpProxy;
  #frozen: number[] = [];

  static async create(parts: NodeParts): Promise<PatroniNode> {
    return new PatroniNode(parts, [await freePort(), await freePort()]);
  }

  private constructor({ name, folder, proxy, configuration }: NodeParts, [port, restPort]: [number, number]) {
    this.name = name;
    this.port = port;
    this.restPort = restPort;
    this.#folder = folder;
    this.#proxy = proxy;
    const adapted = adaptBlock(configuration, [
      ['name: db1', `name: ${name}`],
      ['10.0.0.1:8008', `127.0.0.1:${restPort}`],
      ['10.0.0.1:5432', `127.0.0.1:${port}`],
      ['10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379', `127.0.0.1:${proxy.port}`],
      ['10.0.0.0/24', '127.0.0.1/32'],
      ['/var/lib/postgresql/15/app-registry', join(folder, 'data')],
      ['/usr/lib/postgresql/15/bin', postgresPrograms ?? ''],
      ['/var/run/postgresql', folder],
    ]);
    writeFileSync(this.#configurationFile, adapted);
  }

  start(): void {
    // Otherwise it would learn the address of etcd and bypass the proxy.
    const env = { PATH: systemPath, HOME: this.#folder, PATRONI_ETCD3_USE_PROXIES: 'true', LC_ALL: 'C.UTF-8' };
    this.process = new StartedProcess(['patroni', this.#configurationFile], {
      ...runAs,
      env,
      cwd: this.#folder,
      outputFile: `${this.#folder}.log`,
    });
    // PostgreSQL outlives the Patroni that started it. Before the folder is removed, which names its process.
    process.prependListener('exit', this.#killAll);
  }

  /** Whether Patroni reports that it leads, as the checks of HAProxy read it. */
  async isLeader(): Promise<boolean> {
    const request = { method: 'GET', path: '/primary' };
    return (await trySend(`http://127.0.0.1:${this.restPort}`, request, { timeoutMs: 1_000 }))?.status === 200;
  }

  async hasSynchronousStandby(): Promise<boolean> {
    const sql = 'select sync_state from pg_stat_replication';
    const states = await query<{ sync_state: string }>(this.url, sql).catch(() => []);
    return states.some(({ sync_state }) => sync_state === 'sync');
  }

  get url(): string {
    return `postgres://postgres:PASSWORD@127.0.0.1:${this.port}/postgres`;
  }

  /** Freezes Patroni, and PostgreSQL too unless it is to keep running. */
  freeze({ exceptPostgres = false } = {}): void {
    const pid = this.process?.pid ?? 0;
    // Twice, for processes that were started in between.
    for (let round = 0; round < 2; round += 1) {
      this.#frozen = exceptPostgres ? [pid] : this.#pids;
      sendSignal(this.#frozen, 'SIGSTOP');
    }
  }

  thaw(): void {
    sendSignal(this.#frozen, 'SIGCONT');
    this.#frozen = [];
  }

  /** Passes nothing on between Patroni and etcd until `reconnect`. */
  cutOff(): void {
    this.#proxy.stall();
  }

  reconnect(): void {
    this.#proxy.resume();
  }

  async kill(): Promise<void> {
    process.off('exit', this.#killAll);
    this.#killAll();
    await this.process?.ended;
  }

  readonly #killAll = () => sendSignal(this.#pids, 'SIGKILL');

  get #pids(): number[] {
    return [...new Set([...(this.process ? processTree(this.process.pid) : []), ...this.#postmasterTree])];
  }

  get #postmasterTree(): number[] {
    try {
      return processTree(Number.parseInt(readFileSync(join(this.#folder, 'data/postmaster.pid'), 'utf8'), 10));
    } catch {
      return [];
    }
  }

  get #configurationFile(): string {
    return join(this.#folder, 'patroni.yml');
  }
}
