import { OpenLoad } from './open-load.ts';

/** What a load process is told to do. */
export interface LoadOrder {
  port: number;
  /** Sent in turn, as they are. */
  requests: string[];
  /** Connections that are opened first. */
  connections: number;
  /** Requests a second whatever is answered; 0: each connection asks again as soon as it is answered. */
  rate: number;
  seconds: number;
}

// One order at a time; what became of it is the answer.
process.on('message', async (order: LoadOrder) => {
  const load = new OpenLoad(order);
  process.send?.(await load.run());
});
process.on('disconnect', () => process.exit());
