import { HookReceiver } from '../../packages/server/src/events/testing/hook-receiver.ts';
import type { Run } from '../frame/run.ts';

const refusalChance = 0.01;

/** Receives the events of a webhook, refuses one in a hundred at first, and remembers which it has taken. */
export class EventReceiver {
  /** Where events are sent. */
  readonly url: string;
  /** The types of the events that it has taken, by their ids. */
  readonly taken = new Map<string, string>();

  static async start(run: Run, engine: string): Promise<EventReceiver> {
    const receiver = await HookReceiver.start();
    run.atEnd(() => receiver.close());
    return new EventReceiver(receiver, run.random(`refusals on ${engine}`));
  }

  private constructor(receiver: HookReceiver, random: ReturnType<Run['random']>) {
    this.url = receiver.url();
    receiver.respond = ({ event: { id, type } }, response) => {
      // Half an hour of them, with their bodies, is more than this process can hold.
      receiver.arrivals.length = 0;
      const isRefused = random.chance(refusalChance);
      if (!isRefused) this.taken.set(id, type);
      response.writeHead(isRefused ? 503 : 204).end();
    };
  }
}
