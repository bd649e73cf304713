import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adaptBlock, type OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { systemPath } from '@appregistrar/testkit/programs/system-programs';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import type { PatroniNode } from './patroni-node.ts';
import { sendSignal } from './process-tree.ts';
import { query } from './query.ts';

const startMsMax = 30_000;

/** HAProxy with the configuration of `docs/high-availability.md`: a constant address for whichever server leads. */
export class HaProxy {
  readonly port: number;
  readonly #folder: string;
  readonly #process: StartedProcess;

  static async start(page: OperatingPage, nodes: PatroniNode[]): Promise<HaProxy> {
    const [configuration = ''] = page.section('Failover').blocks('haproxy');
    const port = await freePort();
    const servers = nodes.map((node, at): [string, string] => [
      `10.0.0.${at + 1}:5432`,
      `127.0.0.1:${node.port} port ${node.restPort}`,
    ]);
    const proxy = new HaProxy(port, adaptBlock(configuration, [['127.0.0.1:5000', `127.0.0.1:${port}`], ...servers]));
    await proxy.#untilConnected();
    return proxy;
  }

  private constructor(port: number, configuration: string) {
    this.port = port;
    this.#folder = temporaryFolder('haproxy-');
    const file = join(this.#folder, 'haproxy.cfg');
    writeFileSync(file, configuration);
    this.#process = new StartedProcess(['haproxy', '-db', '-f', file], { env: { PATH: systemPath } });
  }

  /** Of the database on the leader. */
  get url(): string {
    return `postgres://postgres:PASSWORD@127.0.0.1:${this.port}/postgres`;
  }

  freeze(): void {
    sendSignal([this.#process.pid], 'SIGSTOP');
  }

  thaw(): void {
    sendSignal([this.#process.pid], 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.#process.end('SIGKILL');
    removeFolder(this.#folder);
  }

  async #untilConnected(): Promise<void> {
    const deadline = performance.now() + startMsMax;
    while (!(await query(this.url, 'select 1').catch(() => null))) {
      if (performance.now() > deadline) throw new Error(`HAProxy reaches no leader: ${this.#process.lastOutput}`);
      await sleep(50);
    }
  }
}
