import { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import type { Run } from '../harness/run.ts';

const refusalChance = 0.01;

/** Receives the events of a webhook, refuses one attempt in a hundred, and records the accepted events. */
export class EventReceiver {
  readonly url: string;
  /** The types of accepted events, by id. */
  readonly accepted = new Map<string, string>();

  static async start(run: Run, engine: string): Promise<EventReceiver> {
    const receiver = await HookReceiver.start();
    run.atEnd(() => receiver.close());
    return new EventReceiver(receiver, run.random(`refusals on ${engine}`));
  }

  private constructor(receiver: HookReceiver, random: ReturnType<Run['random']>) {
    this.url = receiver.url();
    receiver.respond = ({ event: { id, type } }, response) => {
      // Arrivals of half an hour, with their bodies, exceed the memory of this process.
      receiver.arrivals.length = 0;
      const isRefused = random.chance(refusalChance);
      if (!isRefused) this.accepted.set(id, type);
      response.writeHead(isRefused ? 503 : 204).end();
    };
  }
}
