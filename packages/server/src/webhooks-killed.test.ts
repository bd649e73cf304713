import { describe, test } from 'node:test';
import { postgres, sqlite } from './testing/engines.ts';
import { deliverThroughKills, KilledService } from './testing/killed-service.ts';

// Most of the time is spent waiting for the leases of the dead, so both engines do it at once.
describe('a service that is killed at any moment delivers every change, and in order', { concurrency: true }, () => {
  for (const engine of [sqlite, postgres]) {
    test(engine.name, async (context) => {
      const service = await KilledService.start(engine);
      context.after(() => service.close());
      await deliverThroughKills(service, { changes: 500, kills: 2 });
      await service.assertWhole();
      context.diagnostic(`${service.taken.size} events, ${service.attempts} attempts`);
    });
  }
});
