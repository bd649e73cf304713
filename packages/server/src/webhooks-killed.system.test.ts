import { describe, test } from 'node:test';
import { postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import { deliverThroughKills, KilledService } from '../test/programs/killed-service.ts';

// Much of the time is spent waiting for the leases of dead processes, so both engines run in parallel.
describe('a service that is killed again and again delivers each change, and in order', { concurrency: true }, () => {
  for (const engine of [sqlite, postgres]) {
    test(engine.name, async (context) => {
      const service = await KilledService.start(engine);
      context.after(() => service.close());
      await deliverThroughKills(service, { changes: 1_500, kills: 3 });
      await service.assertComplete();
      context.diagnostic(`${service.accepted.size} events, ${service.attempts} attempts`);
    });
  }
});
