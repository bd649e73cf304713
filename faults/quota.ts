import { createApp } from '@appregistrar/testkit/calls/apps';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { commandLine } from '../packages/server/src/kernel/registry.ts';
import type { SeededRandom } from '../scripts/seeded-random.ts';
import { createCredentials } from './harness/credentials.ts';
import { type FaultInjection, guarantee } from './harness/fault-injection.ts';
import { freshSqlite } from './harness/fresh-database.ts';
import type { Run } from './harness/run.ts';
import { Service } from './harness/service.ts';
import { QuotaClient } from './quota/quota-client.ts';
import { StoppedClock } from './quota/stopped-clock.ts';

const windowMs = 60_000;
const limit = 10;

export const faultInjection: FaultInjection = {
  summary: 'slow empty updates across the ends of windows: is no window ever admitted more, or less, than the limit?',
  options: {
    rounds: { what: 'rounds of each kind', value: 300, short: 20 },
  },
  async run(run) {
    const parts = await prepare(run);
    const rounds = { late: releasedLate, 'in time': releasedInTime, retries: retried };
    const figures: Record<string, number> = {};
    for (const [name, round] of Object.entries(rounds)) {
      figures[name] = 0;
      for (let at = 0; at < run.number('rounds'); at += 1) {
        parts.clock.advance(windowMs);
        await round({ ...parts, random: run.random(name, at) });
        figures[name] += 1;
      }
      run.log(`${name}: ${figures[name]} rounds`);
    }
    return figures;
  },
  defects: [
    {
      name: 'beyond-limit',
      what: 'more quota is returned than was taken',
      patches: [
        {
          file: 'http/limits/rate-limit.ts',
          in: 'RequestWindows.release',
          find: '=== endsAtMs) window.used -= amount;',
          replace: '=== endsAtMs) window.used -= 2 * amount;',
        },
      ],
    },
  ],
};

interface Round {
  client: QuotaClient;
  clock: StoppedClock;
  random: SeededRandom;
}

/** A service with a clock that is moved, and a developer with an app in it. */
async function prepare(run: Run): Promise<Omit<Round, 'random'>> {
  const database = freshSqlite();
  run.atEnd(database.remove);
  const clock = new StoppedClock();
  run.atEnd(() => clock.remove());
  const { developerId, developer: token } = await createCredentials(database.url);
  const { id: appId } = await withRegistry(database.url, (registry) =>
    createApp(registry, commandLine, { developerId, name: 'Busy' }),
  );
  const env = { ...clock.env, RATE_LIMIT_UPDATES_PER_MINUTE: String(limit), REQUEST_TIMEOUT_MS: '0' };
  const service = await Service.create({ source: run.source, databaseUrl: database.url, env });
  run.atEnd(() => service.kill());
  await service.start();
  const port = Number(new URL(service.publicUrl).port);
  return { client: new QuotaClient({ port, appId, token, limit }), clock };
}

/** Quota that is returned after the end of its window: the next one admits the limit. */
async function releasedLate({ client, clock, random }: Round): Promise<void> {
  const updates = await client.startEmptyUpdates(random.between(1, limit - 1));
  await client.update(random.between(0, limit));
  clock.advance(random.pick([windowMs, windowMs + 1, 3 * windowMs]));
  const used = random.between(0, limit);
  await expectAdmitted(client, used, used);
  const left = await client.finish(updates);
  guarantee(left === limit - used, `late releases have left ${left} updates instead of ${limit - used}`);
  await expectAdmitted(client, limit, limit - used);
}

/** Quota that is returned in its own window can be taken again, also after requests that were rejected meanwhile. */
async function releasedInTime({ client, clock, random }: Round): Promise<void> {
  const held = random.between(1, limit - 1);
  const updates = await client.startEmptyUpdates(held);
  await expectAdmitted(client, limit + random.between(1, limit), limit - held);
  clock.advance(random.between(0, windowMs - 1));
  const left = await client.finish(updates);
  guarantee(left === held, `releases have left ${left} updates instead of ${held}`);
  await expectAdmitted(client, limit, held);
}

/** A client is admitted after the time in Retry-After, and not a second earlier. */
async function retried({ client, clock, random }: Round): Promise<void> {
  const earlier = random.between(1, limit);
  await expectAdmitted(client, earlier, earlier);
  clock.advance(random.between(0, windowMs - 2_000));
  const { retryAfter } = await expectAdmitted(client, limit + 1, limit - earlier);
  guarantee(retryAfter !== null, 'no update was rejected');
  clock.advance((retryAfter - 1) * 1_000);
  await expectAdmitted(client, 2, 0);
  clock.advance(1_000);
  await expectAdmitted(client, 2 * limit, limit);
}

async function expectAdmitted(client: QuotaClient, sent: number, expected: number) {
  const outcome = await client.update(sent);
  guarantee(
    outcome.admitted === expected,
    `${outcome.admitted} of ${sent} updates were admitted instead of ${expected}, under a limit of ${limit}`,
  );
  return outcome;
}
