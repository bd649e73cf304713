import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedProcess } from '@appregistrar/testkit/system/started-process';

const attachMsMax = 30_000;
const responseMsMax = 60_000;

/** The environment of a process to inspect: its inspector uses any free port. */
export const inspectable = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' };

/**
 * The live heap of a Node process. Its inspector collects garbage first, so that the figure is not random and a leak
 * shows early.
 */
export class LiveHeap {
  readonly #socket: WebSocket;
  #requests = 0;

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
    await this.#send('HeapProfiler.collectGarbage');
    const { usedSize = 0, backingStorageSize = 0 } = await this.#send('Runtime.getHeapUsage');
    return usedSize + backingStorageSize;
  }

  /** A process would not exit while its inspector is connected. */
  async detach(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  async #send(method: string): Promise<Record<string, number>> {
    this.#requests += 1;
    const responded = once(this.#socket, 'message', { signal: AbortSignal.timeout(responseMsMax) });
    this.#socket.send(JSON.stringify({ id: this.#requests, method }));
    const [{ data }] = await responded;
    const { result } = JSON.parse(data);
    if (!result) throw new Error(`the inspector failed to run ${method}: ${data}`);
    return result;
  }
}

/** The address of the inspector, which the process prints. */
async function inspectorOf(service: StartedProcess): Promise<string> {
  for (const deadline = performance.now() + attachMsMax; performance.now() < deadline; await sleep(10)) {
    const address = /ws:\/\/\S+/.exec(service.output)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`the inspector does not start: ${service.lastOutput}`);
}
