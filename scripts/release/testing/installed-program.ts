import assert from 'node:assert/strict';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@appregistrar/testkit/programs/program';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { type CleanRoot, type RootOptions, unprivileged } from './clean-root.ts';

const started = new Set<Program>();
/** Where the database is, in every root. */
const dataFolder = '/var/lib/app-registry';
const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="5" height="5"/></svg>';

interface Parts {
  /** A folder for what it writes. */
  folder: string;
  /** The path of the command in the root. */
  launcher: string;
  makeRoot: (options: RootOptions) => CleanRoot;
  /** Variables and mounts beside those that every program gets. */
  env?: Record<string, string>;
  mounts?: Record<string, string>;
}

/** The installed command in a clean root, with a database that outlives it. */
export class InstalledProgram {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly #launcher: string;
  readonly #root: CleanRoot;

  static async create({ folder, launcher, makeRoot, ...others }: Parts): Promise<InstalledProgram> {
    const [publicPort, operatorPort] = [await freePort(), await freePort()];
    const env = {
      ...others.env,
      DATABASE_URL: `sqlite:${dataFolder}/registry.db`,
      PUBLIC_ADDRESS: `0.0.0.0:${publicPort}`,
      OPERATOR_ADDRESS: `0.0.0.0:${operatorPort}`,
      ALLOW_PLAINTEXT: '1',
    };
    const data = join(folder, 'data');
    mkdirSync(data, { recursive: true });
    chownSync(data, unprivileged, unprivileged);
    writeFileSync(join(data, 'logo.svg'), logo);
    const root = makeRoot({ env, mounts: { ...others.mounts, [dataFolder]: data } });
    return new InstalledProgram({ launcher, root, publicPort, operatorPort });
  }

  private constructor(parts: { launcher: string; root: CleanRoot; publicPort: number; operatorPort: number }) {
    this.#launcher = parts.launcher;
    this.#root = parts.root;
    this.publicUrl = `http://127.0.0.1:${parts.publicPort}`;
    this.operatorUrl = `http://127.0.0.1:${parts.operatorPort}`;
  }

  /** What a command prints. */
  async run(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await Program.run(this.#root.command(this.#launcher, ...args));
    assert.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  async json<Result>(...args: string[]): Promise<Result> {
    return JSON.parse(await this.run(...args, '--json'));
  }

  /** Starts a server, and waits until it serves. */
  async serve(): Promise<Program> {
    const server = new Program(this.#root.command(this.#launcher, 'serve'));
    started.add(server);
    await server.until((log) => /"msg":"serving"/.exec(log));
    return server;
  }

  /** Creates an app with a drawn logo, and a token that may get it. */
  async createApp(): Promise<{ id: string; token: string }> {
    const { id: userId } = await this.json<{ id: string }>('developer', 'create', '--email', 'ada@example.com');
    await this.run('logo', 'create', `${dataFolder}/logo.svg`, '--developer', userId);
    const app = await this.json<{ id: string }>('app', 'create', '--developer', userId, '--name', 'Invoice Sync');
    const { token } = await this.json<{ token: string }>('token', 'create', '--kind', 'platform');
    return { id: app.id, token };
  }

  /** The name of an app, as a platform gets it. */
  async nameOf({ id, token }: { id: string; token: string }): Promise<string> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${this.publicUrl}/platform/apps/v1/${id}`, { headers });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text).name;
  }

  async operatorText(path: string): Promise<string> {
    const response = await fetch(this.operatorUrl + path);
    assert.equal(response.status, 200, path);
    return response.text();
  }
}

/** Ends what a failed test has left. */
export async function endAllServers(): Promise<void> {
  for (const server of started) server.kill('SIGKILL');
  await Promise.all([...started].map(({ ended }) => ended));
}

/** SIGTERM ends a server, without an error. */
export async function endServer(server: Program): Promise<void> {
  server.kill('SIGTERM');
  const { status, stdout, stderr } = await server.ended;
  assert.equal(status, 0, stdout + stderr);
}
