import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { getAppRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { send } from '@appregistrar/testkit/http/send';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { compileCache } from '@appregistrar/testkit/programs/compile-cache';
import { linkedLauncher } from '@appregistrar/testkit/programs/program';
import { environment } from '../../src/config/env.ts';
import type { DeveloperApp, PlatformApp } from '../../src/features/apps/app-schemas.ts';
import { type ServedHere, serveHere } from '../programs/serve-here.ts';
import { Shell } from '../programs/shell.ts';

/** The ids in the commands of the pages for operators. */
export const ids = {
  APP: 'app_01jq3v9y6ae0xv5m6b7k8c9d0e',
  DEVELOPER: 'user_01jq3v8nbtf4mrk6d2m3wz5x7c',
  SUCCESSOR: 'user_01jq3w2x9ge6ab5m6b7k8c9d0e',
  WORKSPACE: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0',
};
/** Has a disabled installation of the app. */
export const otherWorkspace = 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d1';

/** A person whose name and address must not remain anywhere after erasure. */
export const person = { email: 'ada@example.com', firstName: 'Augusta' };

const createdAt = '2026-03-01T09:30:00.000Z';
const installation = { type: 'installation', appId: ids.APP, userId: ids.SUCCESSOR, createdAt };
const records = [
  { type: 'developer', userId: ids.DEVELOPER, ...person },
  { type: 'developer', userId: ids.SUCCESSOR, email: 'bob@example.com' },
  { type: 'app', id: ids.APP, developerId: ids.DEVELOPER, name: 'Invoice Sync', createdAt, reviewStatus: 'APPROVED' },
  { ...installation, workspaceId: ids.WORKSPACE },
  { ...installation, workspaceId: otherWorkspace, enabled: false },
];

const shellEnvironment = {
  // As the pages set it.
  PATH: [dirname(linkedLauncher), environment.PATH].join(delimiter),
  TMPDIR: tmpdir(),
  ...compileCache,
};

/** A registry with an app in two workspaces, and a shell to operate it. */
export class OperatedRegistry {
  readonly cli: CommandLine;
  readonly folder: string;
  readonly shell: Shell;
  readonly tokens: Tokens;
  readonly #servers: ServedHere[] = [];

  static async open(engine: Engine, given: Record<string, string> = {}): Promise<OperatedRegistry> {
    const cli = await CommandLine.open(engine);
    const folder = await mkdtemp(join(tmpdir(), 'operated-'));
    const file = join(folder, 'filled.jsonl');
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    await cli.done('import', file);
    const issue = async (...kind: string[]) =>
      (await cli.done<{ token: string }>('token', 'create', '--kind', ...kind)).token;
    const tokens = {
      developer: await issue('developer', '--developer', ids.DEVELOPER),
      platform: await issue('platform'),
    };
    const env = { ...ids, ...shellEnvironment, DATABASE_URL: cli.databaseUrl, ...given };
    return new OperatedRegistry({ cli, folder, tokens, shell: new Shell({ env, cwd: folder }) });
  }

  private constructor({ cli, folder, tokens, shell }: Pick<OperatedRegistry, 'cli' | 'folder' | 'tokens' | 'shell'>) {
    this.cli = cli;
    this.folder = folder;
    this.tokens = tokens;
    this.shell = shell;
  }

  /** Starts another server, of this registry unless another database is given. */
  async serve(databaseUrl = this.cli.databaseUrl): Promise<Served> {
    const server = await serveHere(databaseUrl);
    this.#servers.push(server);
    return new Served(server.publicUrl, this.tokens);
  }

  async stopServers(): Promise<void> {
    for (const server of this.#servers.splice(0)) await server.stop();
  }

  async close(): Promise<void> {
    await this.shell.close();
    await this.stopServers();
    await this.cli.close();
    await rm(this.folder, { recursive: true });
  }
}

export interface Tokens {
  developer: string;
  platform: string;
}

/** A running server. */
export class Served {
  readonly #origin: string;
  readonly #tokens: Tokens;

  constructor(origin: string, tokens: Tokens) {
    this.#origin = origin;
    this.#tokens = tokens;
  }

  /** Get App by the platform. */
  getApp(headers: Record<string, string> = {}, id = ids.APP): Promise<HttpResponse<PlatformApp>> {
    return send(this.#origin, getAppRequest(this.#tokens.platform, id, headers));
  }

  /** Update App by the developer. */
  updateApp(update: object, headers: Record<string, string> = {}): Promise<HttpResponse<DeveloperApp>> {
    return send(this.#origin, updateAppRequest(this.#tokens.developer, { id: ids.APP, update, headers }));
  }
}
