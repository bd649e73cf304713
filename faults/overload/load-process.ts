import { type LoadOrder, OpenLoad } from './open-load.ts';

// One order at a time. Replies with its result.
process.on('message', async (order: LoadOrder) => {
  const load = new OpenLoad(order);
  process.send?.(await load.run());
});
process.on('disconnect', () => process.exit());
