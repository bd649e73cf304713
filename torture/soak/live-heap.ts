import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedProcess } from 'app-registry-testkit/system/started-process';

const attachMsMax = 30_000;
const answerMsMax = 60_000;

/** The configuration of a process that is looked into: its inspector takes a port that is free. */
export const inspectable = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' };

/**
 * What a process of Node cannot let go of. Its inspector collects the garbage first, so that no chance is in the
 * figure, and a leak is seen soon.
 */
export class LiveHeap {
  readonly #socket: WebSocket;
  #asked = 0;

  static async attach(service: StartedProcess): Promise<LiveHeap> {
    service.child.kill('SIGUSR1');
    const socket = new WebSocket(await inspectorOf(service));
    await once(socket, 'open');
    return new LiveHeap(socket);
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  async bytes(): Promise<number> {
    await this.#ask('HeapProfiler.collectGarbage');
    const { usedSize = 0, backingStorageSize = 0 } = await this.#ask('Runtime.getHeapUsage');
    return usedSize + backingStorageSize;
  }

  /** A process that is looked into would not end. */
  async detach(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  async #ask(method: string): Promise<Record<string, number>> {
    this.#asked += 1;
    const answered = once(this.#socket, 'message', { signal: AbortSignal.timeout(answerMsMax) });
    this.#socket.send(JSON.stringify({ id: this.#asked, method }));
    const [{ data }] = await answered;
    const { result } = JSON.parse(data);
    if (!result) throw new Error(`the inspector answered ${method}: ${data}`);
    return result;
  }
}

/** Its address, as the process tells it. */
async function inspectorOf(service: StartedProcess): Promise<string> {
  for (const deadline = performance.now() + attachMsMax; performance.now() < deadline; await sleep(10)) {
    const address = /ws:\/\/\S+/.exec(service.tail)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`the service cannot be looked into: ${service.lastOutput}`);
}
