import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { run } from '../../../server/src/cli/run.ts';
import type { ImportError } from '../../../server/src/features/import-export/import-record-schema.ts';
import type { Engine, TestDatabase } from '../engines/engines.ts';

/** Defines an anchor for every problem type except about:blank. */
const reference = readFileSync(new URL('../../../../docs/interface.md', import.meta.url), 'utf8');

/** The exit status and output of a command line. */
export interface CommandResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A failure, as `--json` prints it. */
export interface Refusal {
  type: string;
  title: string;
  detail: string;
  code: string;
  errors?: (Omit<ImportError, 'line' | 'code'> & { line?: number; parameter?: string; code: string })[];
}

/** Runs a command line in this process, and captures its output. */
export async function runHere(...args: string[]): Promise<CommandResult> {
  const result = { status: null as number | null, stdout: '', stderr: '' };
  result.status = await run(args, {
    writeOut: (text) => {
      result.stdout += text;
    },
    writeErr: (text) => {
      result.stderr += text;
    },
  });
  return result;
}

export interface Typing {
  /** Part of what the command shows before a person types. Without one, its standard input is no terminal. */
  prompt?: string;
  /** What is typed then, as a rule by what standard error shows; null is the end of the input. */
  input: string | null | ((shown: string, stdin: TypedInput) => string | Promise<string>);
}

/** A standard input that a test types into. */
class TypedInput extends PassThrough {
  readonly isTTY: boolean;
  isRaw = false;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
}

/** Runs a command line in this process with its own standard input, as on a terminal if there is a prompt. */
export async function runTyping({ prompt, input }: Typing, ...args: string[]): Promise<CommandResult> {
  const stdin = new TypedInput(prompt !== undefined);
  const result = { stdout: '', stderr: '' };
  let typing: Promise<void> | undefined;
  const type = async () => {
    const typed = typeof input === 'function' ? await input(result.stderr, stdin) : input;
    if (prompt === undefined || typed === null) stdin.end(typed ?? undefined);
    else stdin.write(typed);
  };
  const show = (stream: 'stdout' | 'stderr') => (text: string) => {
    result[stream] += text;
    if (result.stderr.includes(prompt ?? '')) typing ??= type();
  };
  const restore = [replace(process, 'stdin', stdin), replace(process.stderr, 'isTTY', stdin.isTTY)];
  try {
    if (prompt === undefined) typing = type();
    const status = await run(args, { writeOut: show('stdout'), writeErr: show('stderr') });
    await typing;
    return { status, ...result };
  } finally {
    for (const undo of restore) undo();
    assert.equal(stdin.isRaw, false);
  }
}

/** Replaces a property of the process. Returns a function that restores it. */
function replace(owner: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true });
  return () => (before ? Object.defineProperty(owner, name, before) : Reflect.deleteProperty(owner, name));
}

/** Runs work with other environment variables, of which `undefined` removes one. Nothing else may run beside it. */
export async function withVariables<Result>(
  variables: Record<string, string | undefined>,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  setVariables(Object.entries(variables));
  try {
    return await work();
  } finally {
    setVariables(before);
  }
}

function setVariables(variables: (readonly [name: string, value: string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** A command that runs in this process until it is ended. */
export class RunningCommand {
  readonly ended: Promise<CommandResult>;
  readonly #result = { stdout: '', stderr: '' };
  readonly #output = new EventEmitter();

  constructor(...args: string[]) {
    const add = (stream: 'stdout' | 'stderr') => (text: string) => {
      this.#result[stream] += text;
      this.#output.emit('text');
    };
    const ended = run(args, { writeOut: add('stdout'), writeErr: add('stderr') });
    this.ended = ended.then((status) => ({ status, ...this.#result }));
  }

  /** Resolves once its standard output has this. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#result.stdout);
      if (found) return found;
      await once(this.#output, 'text');
    }
  }

  /** Ends it as the end of the process that has started this one would. */
  end(): Promise<CommandResult> {
    process.emit('disconnect');
    return this.ended;
  }
}

/** The command line on its own database. */
export class CommandLine {
  readonly databaseUrl: string;
  readonly #database: TestDatabase;

  static async open(engine: Engine): Promise<CommandLine> {
    return new CommandLine(await engine.createMigratedDatabase());
  }

  private constructor(database: TestDatabase) {
    this.#database = database;
    this.databaseUrl = database.url;
  }

  /** Runs a command that prints text. */
  run(...args: string[]): Promise<CommandResult> {
    return runHere(...args, '--database-url', this.databaseUrl);
  }

  /** The JSON result of a command. Throws unless it succeeds. */
  async done<Result extends object>(...args: string[]): Promise<Result> {
    return jsonOf(await this.run(...args, '--json'));
  }

  /** The JSON failure of a command. Throws unless it fails. */
  async refused(...args: string[]): Promise<Refusal> {
    return refusalOf(await this.run(...args, '--json'));
  }

  close(): Promise<void> {
    return this.#database.drop();
  }
}

/** The result of a command with `--json`: asserts that it prints one JSON document and nothing else. */
export function jsonOf<Result extends object>({ status, stdout, stderr }: CommandResult): Result {
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  const result: Result = JSON.parse(stdout);
  assert.equal(stdout, `${JSON.stringify(result)}\n`);
  assertCamelCase(result);
  return result;
}

/** The failure of a command with `--json`: asserts that it prints problem details and nothing else. */
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
  assert.equal(errors !== undefined, ['invalid_content', 'records_refused', 'registry_inconsistent'].includes(code));
  return refusal;
}

/** The pointer and code of each validation error of a refusal. */
export function validationErrorsOf({ errors = [] }: Refusal): string[] {
  return errors.map(({ parameter, pointer = parameter, code }) => `${pointer} ${code}`);
}

function assertCamelCase(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    if (!Array.isArray(value)) assert.match(name, /^[a-z]+([A-Z][a-z]*)*$/);
    assertCamelCase(child);
  }
}
