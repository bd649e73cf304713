import assert from 'node:assert/strict';
import { type CommandResult, jsonOf } from '@appregistrar/testkit/programs/command-line';
import { Program } from '@appregistrar/testkit/programs/program';

const settings = {
  PUBLIC_ADDRESS: '127.0.0.1:0',
  OPERATOR_ADDRESS: '127.0.0.1:0',
  // Clients reach all servers under one name.
  BASE_URL: 'https://apps.example.com',
  RATE_LIMIT_UPDATES_PER_MINUTE: '0',
  RATE_LIMIT_OPERATOR_REQUESTS_PER_MINUTE: '0',
  STORED_BYTES_PER_DEVELOPER_PER_DAY: '0',
};

interface ProgramParts {
  name: string;
  main: string;
  databaseUrl: string;
  /** Additional settings. */
  env?: Record<string, string>;
}

/** A program of the registry, of any version, on one database. */
export class RegistryProgram {
  readonly name: string;
  readonly #main: string;
  readonly #env: Record<string, string>;
  readonly #started: Program[] = [];

  constructor({ name, main, databaseUrl, env }: ProgramParts) {
    this.name = name;
    this.#main = main;
    this.#env = { ...settings, ...env, DATABASE_URL: databaseUrl };
  }

  /** The JSON result of a command. Throws unless it succeeds. */
  async done<Result extends object>(...args: string[]): Promise<Result> {
    return jsonOf(await this.run(...args, '--json'));
  }

  run(...args: string[]): Promise<CommandResult> {
    return this.#start(...args).ended;
  }

  async serve(): Promise<Serving> {
    const program = this.#start('serve');
    const port = Number(await program.until((stdout) => /"public":"127\.0\.0\.1:(\d+)"/.exec(stdout)?.[1]));
    return new Serving(this.name, program, port);
  }

  /** Kills the processes that a failed test has left. */
  async kill(): Promise<void> {
    for (const program of this.#started) program.kill('SIGKILL');
    await Promise.all(this.#started.map(({ ended }) => ended));
  }

  #start(...args: string[]): Program {
    const program = new Program([process.execPath, this.#main, ...args], { env: this.#env });
    this.#started.push(program);
    return program;
  }
}

/** A server in its own process. */
export class Serving {
  readonly name: string;
  readonly port: number;
  readonly #program: Program;

  constructor(name: string, program: Program, port: number) {
    this.name = name;
    this.#program = program;
    this.port = port;
  }

  /** Its log so far. */
  get log(): string {
    return this.#program.stdout;
  }

  /** Sends SIGKILL, which leaves no time to shut down. */
  async kill(): Promise<void> {
    this.#program.kill('SIGKILL');
    await this.#program.ended;
  }

  async stop(): Promise<void> {
    this.#program.kill('SIGTERM');
    const { status, stderr } = await this.#program.ended;
    assert.deepEqual([status, stderr], [0, '']);
  }
}
