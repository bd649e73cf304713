import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export interface Child {
  /** Resolves with its output when it succeeds, and rejects with its errors otherwise. */
  readonly ended: Promise<string>;
  /** Resolves at its next output. */
  nextOutput(): Promise<string>;
  /** Closes its standard input. */
  release(): void;
}

const modules = { openStorage: '../open-storage.ts', laterSchemas: './later-schemas.ts' };

/** Runs JavaScript in a separate process, in which `openStorage`, `laterSchemas` and `url` are defined. */
export function startChild(url: string, code: string): Child {
  const imports = Object.entries(modules).map(
    ([name, path]) => `import { ${name} } from ${JSON.stringify(new URL(path, import.meta.url).href)};`,
  );
  const script = `${imports.join(' ')} const url = ${JSON.stringify(url)}; ${code}`;
  const process_ = spawn(process.execPath, ['--input-type=module', '--eval', script], { timeout: 20_000 });
  return {
    ended: ending(process_),
    nextOutput: async () => String((await once(process_.stdout, 'data'))[0]),
    release: () => process_.stdin.end(),
  };
}

async function ending(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<string> {
  let output = '';
  let complaint = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (complaint += chunk));
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`a child process ended with ${code ?? signal}: ${complaint}`);
  return output;
}
