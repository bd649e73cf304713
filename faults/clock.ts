import { ClockScene } from './clock/clock-scene.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import { freshUrl } from './harness/fresh-database.ts';
import type { Run } from './harness/run.ts';

const daySeconds = 86_400;
const dayMs = 1_000 * daySeconds;
const windowSeconds = 60;
/** The tables from which maintenance deletes what is old. */
const expiring = ['deleted_apps', 'deliveries', 'idempotency_keys'] as const;

export const faultInjection: FaultInjection = {
  summary: 'a clock that is ahead by days for a moment, at the start of the service and while it runs',
  options: {
    engines: { what: 'which of sqlite, postgres', value: 'sqlite,postgres', short: 'sqlite' },
    starts: { what: 'how often the service is started with its clock ahead', value: 20, short: 2 },
    jumps: { what: 'how often the clock is set ahead while the service runs', value: 10, short: 1 },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const engine of run.text('engines').split(',')) {
      const scene = await ClockScene.open(run, await freshUrl(run, engine));
      figures[`${engine}-kept`] = await startAhead(run, scene);
      figures[`${engine}-late-deliveries`] = await jumpAhead(run, scene);
      await scene.service.command('check');
      await scene.service.stop();
    }
    return figures;
  },
  defects: [
    {
      name: 'any-two-readings',
      what: 'a reading confirms a clock that has jumped since',
      patches: [
        {
          file: 'kernel/time.ts',
          in: 'agree',
          find: 'return Math.abs(later.observed_at - earlier.observed_at - passedMs) <= correctionMsMax;',
          replace: 'return passedMs >= 0;',
        },
      ],
    },
  ],
};

/** Returns how many rows were not deleted. */
async function startAhead(run: Run, scene: ClockScene): Promise<number> {
  await scene.service.start();
  await scene.newWebhook();
  const [old = '', fresh = '', changed = ''] = await scene.newApps(3);
  await scene.update(changed, { 'idempotency-key': 'key' });
  await scene.until('the event is delivered', async () =>
    (await scene.rows('deliveries')).some(({ state }) => state === 'delivered'),
  );
  await scene.service.stop();
  await scene.deleteApp(fresh, 60_000);
  const counts = () => Promise.all(expiring.map((table) => scene.count(table)));
  const stored = await counts();

  for (let start = 0; start < run.number('starts'); start += 1) {
    const days = run.random('days', start).between(31, 400);
    await scene.confirmClock();
    await scene.startAhead(days * daySeconds);
    const left = await counts();
    guarantee(left.join() === stored.join(), `${days} days ahead: ${expiring.join()} had ${stored} rows, now ${left}`);
    await scene.service.stop();
  }
  await scene.deleteApp(old, 31 * dayMs);
  await assertPurged(scene, { old, fresh });
  return stored.reduce((sum, count) => sum + count);
}

/** A confirmed clock still purges due rows. */
async function assertPurged(scene: ClockScene, { old, fresh }: { old: string; fresh: string }): Promise<void> {
  scene.clock.set(0);
  await scene.confirmClock();
  await scene.service.start();
  const deleted = async () => (await scene.rows('deleted_apps')).map(({ id }) => id);
  await scene.until('an app deleted 31 days ago is purged', async () => !(await deleted()).includes(old));
  guarantee((await deleted()).includes(fresh), 'an app deleted a minute ago was purged');
}

/** Returns the number of deliveries that a clock which was ahead could have delayed. */
async function jumpAhead(run: Run, scene: ClockScene): Promise<number> {
  let late = 0;
  for (let jump = 0; jump < run.number('jumps'); jump += 1) {
    // Each developer has one limit a minute.
    await scene.service.stop();
    await scene.service.start();
    late += await jumpOnce(scene, run.random('jump', jump).between(2, 80));
  }
  return late;
}

async function jumpOnce(scene: ClockScene, days: number): Promise<number> {
  const [app = '', other = '', limited = ''] = await scene.newApps(3);
  const { receiver } = scene;
  receiver.respond = (_, response) => response.writeHead(503).end();
  receiver.arrivals.length = 0;

  await scene.setClock(days * daySeconds);
  const ahead = (await scene.update(app)).view;
  const isPending = async () => (await pendingOf(scene, app)).some(({ attempts }) => attempts > 0);
  await scene.until('an attempt has failed while the clock is ahead', isPending);
  await scene.exhaustLimit(limited);
  await scene.untilCounted(1);
  await scene.setClock(0);

  const refused = await scene.update(limited);
  const retryAfter = Number(refused.headers['retry-after']);
  guarantee(refused.status === 429, `the limit ended with the jump: ${refused.status}`);
  guarantee(retryAfter >= 1 && retryAfter <= windowSeconds, `Retry-After is ${retryAfter}`);
  const age = await scene.metric('webhook_oldest_pending_age_seconds');
  guarantee(age > daySeconds, `a delivery that is ${days} days away has the age ${age}`);
  await scene.untilCounted(2);
  guarantee(scene.service.process.output.includes('the clock was set'), 'the log does not report the jumps');

  const from = Date.now();
  const [after, elsewhere] = [await scene.updateAsOperator(app), await scene.updateAsOperator(other)];
  guarantee(after.updatedAt === ahead.updatedAt, `updatedAt moved from ${ahead.updatedAt} to ${after.updatedAt}`);
  guarantee(isBetween(Date.parse(elsewhere.updatedAt), from), `another app was updated at ${elsewhere.updatedAt}`);
  const times = (await scene.rows('events')).filter(({ app_id: id }) => id === app).map((row) => row.occurred_at);
  guarantee(
    isBetween(times.at(-1) ?? 0, from),
    `the events of the app have, in their order, the times ${times.join()}`,
  );

  const late = (await pendingOf(scene, app)).toSorted((one, two) => two.attempts - one.attempts);
  receiver.respond = (_, response) => response.end();
  await scene.until('all events are delivered', async () => (await pendingOf(scene, app)).length === 0);
  const order = receiver.byQueue()[app] ?? [];
  guarantee(order.join() === late.map(({ event_id: id }) => id).join(), `the events came in the order ${order.join()}`);
  return late.length;
}

async function pendingOf(scene: ClockScene, appId: string) {
  return (await scene.rows('deliveries')).filter(({ queue, state }) => queue === appId && state === 'pending');
}

/** Whether a time is between another one and now. */
function isBetween(time: number, from: number): boolean {
  return time >= from && time <= Date.now();
}
