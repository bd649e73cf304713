import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { run } from '../../../server/src/cli/run.ts';
import type { ImportError } from '../../../server/src/contract/import-record.ts';
import type { Engine, TestDatabase } from '../engines/engines.ts';

/** Where the type of a problem points to, unless it is about:blank. */
const reference = readFileSync(new URL('../../../../docs/interface.md', import.meta.url), 'utf8');

/** What a command line has written, and its exit status. */
export interface CommandResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A refusal, as `--json` tells it. */
export interface Refusal {
  type: string;
  title: string;
  detail: string;
  code: string;
  errors?: (Omit<ImportError, 'line' | 'code'> & { line?: number; code: string })[];
}

/** Runs a command line in this process, with what it writes kept apart. */
export async function runHere(...args: string[]): Promise<CommandResult> {
  const said = { status: null as number | null, stdout: '', stderr: '' };
  said.status = await run(args, {
    writeOut: (text) => {
      said.stdout += text;
    },
    writeErr: (text) => {
      said.stderr += text;
    },
  });
  return said;
}

/** The command line on a database of its own. */
export class CommandLine {
  readonly databaseUrl: string;
  readonly #database: TestDatabase;

  static async open(engine: Engine): Promise<CommandLine> {
    return new CommandLine(await engine.createDatabase());
  }

  private constructor(database: TestDatabase) {
    this.#database = database;
    this.databaseUrl = database.url;
  }

  /** Asks for lines for a person. */
  run(...args: string[]): Promise<CommandResult> {
    return runHere(...args, '--database-url', this.databaseUrl);
  }

  /** Asks for JSON: what a command that succeeds prints. */
  async done<Result extends object>(...args: string[]): Promise<Result> {
    return jsonOf(await this.run(...args, '--json'));
  }

  /** Asks for JSON: why a command is refused. */
  async refused(...args: string[]): Promise<Refusal> {
    return refusalOf(await this.run(...args, '--json'));
  }

  close(): Promise<void> {
    return this.#database.drop();
  }
}

/** The one JSON document that a command with `--json` prints when it is done, and nothing else. */
export function jsonOf<Result extends object>({ status, stdout, stderr }: CommandResult): Result {
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  const result: Result = JSON.parse(stdout);
  assert.equal(stdout, `${JSON.stringify(result)}\n`);
  assertCamelCase(result);
  return result;
}

/** The problem details that a command with `--json` prints when it is refused, and nothing else. */
export function refusalOf({ status, stdout, stderr }: CommandResult): Refusal {
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' }, stderr);
  const refusal: Refusal = JSON.parse(stderr);
  assert.equal(stderr, `${JSON.stringify(refusal)}\n`);
  const { type, title, detail, code, errors, ...others } = refusal;
  assert.deepEqual(others, {});
  assert.match(code, /^[a-z]+(_[a-z]+)*$/);
  assert.equal(type === 'about:blank', !reference.includes(`<a id="${code}"></a>`), type);
  assert.ok(type === 'about:blank' || (URL.canParse(type) && type.endsWith(`/docs#${code}`)), type);
  assert.match(title, /^[A-Z]/);
  assert.match(detail, /^[A-Z0-9].*[.!?]$/s);
  assert.equal(errors !== undefined, ['invalid_content', 'registry_inconsistent'].includes(code));
  return refusal;
}

/** The pointer and code of each fault of a refusal. */
export function faultsOf({ errors = [] }: Refusal): string[] {
  return errors.map(({ pointer, code }) => `${pointer} ${code}`);
}

function assertCamelCase(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) assert.match(name, /^[a-z]+([A-Z][a-z]*)*$/);
    assertCamelCase(member);
  }
}
