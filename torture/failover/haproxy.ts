import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adaptBlock, type OperatingPage } from 'app-registry-testkit/pages/operating-page';
import { systemPath } from 'app-registry-testkit/programs/system-programs';
import { freePort } from 'app-registry-testkit/system/free-port';
import { StartedProcess } from 'app-registry-testkit/system/started-process';
import { removeFolder, temporaryFolder } from 'app-registry-testkit/system/temporary-folder';
import type { PatroniNode } from './patroni-node.ts';
import { sendSignal } from './process-tree.ts';

/** HAProxy with the configuration of `docs/operating.md`: a constant address for whichever server leads. */
export class HaProxy {
  readonly port: number;
  readonly #folder: string;
  readonly #process: StartedProcess;

  static async start(page: OperatingPage, nodes: PatroniNode[]): Promise<HaProxy> {
    const [configuration = ''] = page.section('Fail over PostgreSQL').blocks('haproxy');
    const port = await freePort();
    const servers = nodes.map((node, at): [string, string] => [
      `10.0.0.${at + 1}:5432`,
      `127.0.0.1:${node.port} port ${node.restPort}`,
    ]);
    return new HaProxy(port, adaptBlock(configuration, [['127.0.0.1:5000', `127.0.0.1:${port}`], ...servers]));
  }

  private constructor(port: number, configuration: string) {
    this.port = port;
    this.#folder = temporaryFolder('haproxy-');
    const file = join(this.#folder, 'haproxy.cfg');
    writeFileSync(file, configuration);
    this.#process = new StartedProcess(['haproxy', '-db', '-f', file], { env: { PATH: systemPath } });
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
}
