import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DemoData } from '../packages/server/src/cli/dev/demo-data.ts';
import { environment } from '../packages/server/src/config/env.ts';

export const launcher = fileURLToPath(new URL('../packages/server/bin/app-registry.js', import.meta.url));

export interface DevServer extends DemoData {
  baseUrl: string;
  databaseUrl: string;
}

/** Runs some work against `app-registry dev`, with the address and the tokens that it prints. */
export async function withDevServer(settings: Record<string, string>, work: (server: DevServer) => Promise<void>) {
  const env = { ...environment, ...settings };
  const server = spawn(process.execPath, [launcher, 'dev', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await work(await firstDocument(server.stdout));
  } finally {
    server.kill('SIGTERM');
  }
}

async function firstDocument(stream: NodeJS.ReadableStream): Promise<DevServer> {
  let text = '';
  for await (const piece of stream) {
    text += piece;
    const line = text
      .split('\n')
      .find((candidate) => candidate.startsWith('{"baseUrl"') && text.includes(`${candidate}\n`));
    if (line) return JSON.parse(line);
  }
  throw new Error('the development server exited before it was ready');
}
