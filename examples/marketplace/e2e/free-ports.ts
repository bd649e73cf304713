import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The first of seven unused ports in a row, below those that the system gives to connections. */
export async function freePorts(): Promise<number> {
  for (;;) {
    const first = randomInt(15_000, 31_000);
    const isFree = await Promise.all(Array.from({ length: 7 }, (_, offset) => isUnused(first + offset)));
    if (isFree.every(Boolean)) return first;
  }
}

async function isUnused(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
