import { describe, test } from 'node:test';
import { postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import { deliverThroughKills, KilledService } from '@appregistrar/testkit/programs/killed-service';
import { extractPreviousProgram } from '@appregistrar/testkit/programs/previous-program';

/** The last schema version whose programs know no shards. */
const wholeWebhooksUntil = 8;

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

test('an older program, which serves whole webhooks, and this one deliver each change in order through kills', {
  timeout: 900_000,
}, async (context) => {
  const previous = await extractPreviousProgram(wholeWebhooksUntil);
  context.after(() => previous.remove());
  const service = await KilledService.start(postgres, { besideMain: previous.main });
  context.after(() => service.close());
  await deliverThroughKills(service, { changes: 1_000, kills: 6 });
  await service.assertComplete();
  context.diagnostic(`${service.accepted.size} events, ${service.attempts} attempts`);
});
