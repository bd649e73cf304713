import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The one message of the guard: where the server is, or why it did not start. */
export type GuardMessage = { url: string } | { failure: string };

export interface PostgresServer {
  /** Connects to the database `postgres` as its superuser. */
  readonly url: string;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server that lives as long as this process at most: however this process ends,
 * the guard that owns the server ends it and removes its folder. It does not keep this process alive.
 * Its programs are those that npm has brought, unless the folder of others is named. The settings replace those that
 * make tests fast.
 */
export async function startPostgres(programs = '', settings: Record<string, string> = {}): Promise<PostgresServer> {
  const guard = fork(
    fileURLToPath(new URL('postgres-guard.ts', import.meta.url)),
    [programs, JSON.stringify(settings)],
    {
      // In a session of its own, so that Ctrl-C on a terminal leaves it the time to clean up.
      detached: true,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const message = await firstMessage(guard);
  if ('failure' in message) throw new Error(`PostgreSQL did not start: ${message.failure}`);
  guard.unref();
  guard.channel?.unref();
  return { url: message.url, stop: () => stop(guard) };
}

async function firstMessage(guard: ChildProcess): Promise<GuardMessage> {
  const ended = once(guard, 'exit').then(([code]) => ({ failure: `its guard ended with ${code}` }));
  const received = once(guard, 'message').then(([message]) => message as GuardMessage);
  return Promise.race([received, ended]);
}

async function stop(guard: ChildProcess): Promise<void> {
  if (guard.exitCode !== null || guard.signalCode !== null) return;
  guard.ref();
  if (guard.connected) guard.disconnect();
  await once(guard, 'exit');
}
