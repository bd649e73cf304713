import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { trySend } from '@appregistrar/testkit/http/send';
import type { OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { requireSystemPrograms } from '@appregistrar/testkit/programs/system-programs';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { TcpProxy } from '@appregistrar/testkit/system/tcp-proxy';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { PatroniNode } from './patroni-node.ts';
import { runAs } from './run-as.ts';

const startMsMax = 120_000;

/** The programs of the section, each with its Debian package. */
const programs = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', postgres: 'postgresql' };

/** Two PostgreSQL servers under Patroni with the configuration of `docs/high-availability.md`, and their etcd. */
export class PatroniCluster {
  readonly nodes: PatroniNode[];
  readonly #folder: string;
  readonly #etcd: StartedProcess;
  readonly #proxies: TcpProxy[];

  static async start(page: OperatingPage): Promise<PatroniCluster> {
    requireSystemPrograms(programs);
    const folder = temporaryFolder('failover-');
    chmodSync(folder, 0o755);
    const [etcd, etcdPort] = await startEtcd(folder);
    const [configuration = ''] = page.section('Failover').blocks('yaml');
    const proxies = [await TcpProxy.start(etcdPort), await TcpProxy.start(etcdPort)];
    const nodes = await Promise.all(
      proxies.map((proxy, at) =>
        PatroniNode.create({ name: `db${at + 1}`, folder: ownFolder(folder, `db${at + 1}`), proxy, configuration }),
      ),
    );
    const cluster = new PatroniCluster(folder, { etcd, proxies, nodes });
    try {
      await cluster.#until('etcd responds', () => isHealthy(etcdPort));
      for (const node of nodes) node.start();
      await cluster.untilComplete();
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  private constructor(folder: string, { etcd, proxies, nodes }: Parts) {
    this.#folder = folder;
    this.#etcd = etcd;
    this.#proxies = proxies;
    this.nodes = nodes;
  }

  /** Resolves to the leader once the other server is its synchronous standby. */
  async untilComplete(): Promise<PatroniNode> {
    return this.#until('the cluster has a leader and a synchronous standby', async () => {
      const leader = await this.#leaderOf(this.nodes);
      return leader && (await leader.hasSynchronousStandby()) ? leader : null;
    });
  }

  /** Resolves to the leader once it is another one than this. */
  async untilOtherLeader(former: PatroniNode): Promise<PatroniNode> {
    const others = this.nodes.filter((node) => node !== former);
    return this.#until('the standby takes over', () => this.#leaderOf(others));
  }

  /** Resolves to the leader as soon as there is one. */
  async untilLeader(): Promise<PatroniNode> {
    return this.#until('the cluster has a leader', () => this.#leaderOf(this.nodes));
  }

  async #leaderOf(nodes: PatroniNode[]): Promise<PatroniNode | null> {
    for (const node of nodes) if (await node.isLeader()) return node;
    return null;
  }

  /** Ends everything and removes its folder. */
  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await Promise.all(this.#proxies.map((proxy) => proxy.stop()));
    await this.#etcd.end('SIGKILL');
    removeFolder(this.#folder);
  }

  async #until<Result>(what: string, find: () => Promise<Result | null>): Promise<Result> {
    const deadline = performance.now() + startMsMax;
    for (;;) {
      const found = await find();
      if (found !== null) return found;
      if (this.#hasFailed || performance.now() > deadline) throw new Error(`not in time: ${what}. ${this.#outputs}`);
      await sleep(100);
    }
  }

  get #hasFailed(): boolean {
    return this.nodes.every(({ process }) => process?.hasEnded);
  }

  get #outputs(): string {
    return [this.#etcd, ...this.nodes.flatMap((node) => node.process ?? [])].map((each) => each.lastOutput).join('\n');
  }
}

interface Parts {
  etcd: StartedProcess;
  proxies: TcpProxy[];
  nodes: PatroniNode[];
}

async function startEtcd(folder: string): Promise<[StartedProcess, number]> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const urls = { client: `http://127.0.0.1:${port}`, peer: `http://127.0.0.1:${peerPort}` };
  const args = [
    ...['--data-dir', ownFolder(folder, 'etcd'), '--name', 'etcd'],
    ...['--listen-client-urls', urls.client, '--advertise-client-urls', urls.client],
    ...['--listen-peer-urls', urls.peer, '--initial-advertise-peer-urls', urls.peer],
    ...['--initial-cluster', `etcd=${urls.peer}`],
  ];
  return [new StartedProcess(['etcd', ...args], { ...runAs, outputFile: join(folder, 'etcd.log') }), port];
}

async function isHealthy(port: number): Promise<true | null> {
  const version = await trySend(`http://127.0.0.1:${port}`, { method: 'GET', path: '/version' });
  // It responds before it knows the version of its cluster, and Patroni does not wait for that.
  return version?.text.includes('"etcdcluster":"3') ? true : null;
}

function ownFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  if (runAs) chownSync(folder, runAs.uid, runAs.gid);
  return folder;
}
