import { createWebhook, deleteWebhook } from '@appregistrar/testkit/calls/webhooks';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { cpuSeconds } from '@appregistrar/testkit/system/process-usage';
import { appendEvents } from '../../packages/server/src/features/events/append-event.ts';
import { commandLine } from '../../packages/server/src/kernel/registry.ts';
import { type Bench, type Case, type Outcome, onEachEngine } from '../harness/case.ts';
import { tenThousandApps } from '../harness/compare-servers.ts';
import { startOurs } from '../harness/contestants.ts';
import type { Database, EngineName } from '../harness/databases.ts';
import { figure, inRounds } from '../harness/rounds.ts';
import { SlowReceiver } from '../load/slow-receiver.ts';

const receiverMs = 100;
const requestsAtOnce = 200;
const eventsPerSecondMin = 1_000;
const eventsOfOneAppPerSecondMin = 500;

export const webhooksCase: Case = {
  name: 'webhooks',
  title: 'Webhooks',
  about:
    `One process delivers waiting events to a receiver that takes ${receiverMs} ms per request: those of 1,000 apps one by one, ` +
    `${requestsAtOnce} requests at a time, and those of one app in batches. The time counts from the first arrival to the ` +
    'last response.',
  run: onEachEngine(runOn),
};

async function runOn(bench: Bench, engine: EngineName): Promise<Outcome> {
  const database = await bench.databases.fresh(engine, tenThousandApps);
  const ours = await startOurs(bench, database, { env: { WEBHOOK_ALLOW_PRIVATE: '1' } });
  const receiver = await SlowReceiver.start(receiverMs);
  try {
    const count = bench.pace.isQuick ? 2_000 : 6_000;
    const many = { appIds: database.appIds.slice(0, 1_000), count, batch: false };
    const one = { appIds: database.appIds.slice(0, 1), count, batch: true };
    const costs: Record<'ofMany' | 'ofOne', number[]> = { ofMany: [], ofOne: [] };
    const measure = async (events: Events, costsMs: number[]) => {
      const before = cpuSeconds(ours.process.pid);
      const perSecond = await deliver(database, receiver, events);
      costsMs.push(((cpuSeconds(ours.process.pid) - before) * 1_000) / count);
      return perSecond;
    };
    const figures = await inRounds(
      [
        { of: `${engine}: events of 1,000 apps`, measure: () => measure(many, costs.ofMany) },
        { of: `${engine}: events of one app in batches`, measure: () => measure(one, costs.ofOne) },
      ],
      { ...bench.pace, unit: 'events/s' },
    );
    const [ofMany, ofOne] = figures.map(({ value }) => value);
    return {
      figures: [
        ...figures,
        figure(`${engine}: processor time per event, one by one`, costs.ofMany, 'ms'),
        figure(`${engine}: processor time per event, in batches`, costs.ofOne, 'ms'),
      ],
      targets: [
        {
          text: `Webhook events of many apps, ${engine}`,
          value: ofMany ?? 0,
          unit: 'events/s',
          atLeast: eventsPerSecondMin,
        },
        {
          text: `Webhook events of one app, in batches, ${engine}`,
          value: ofOne ?? 0,
          unit: 'events/s',
          atLeast: eventsOfOneAppPerSecondMin,
        },
      ],
    };
  } finally {
    await ours.stop();
    await receiver.close();
    await database.drop();
  }
}

interface Events {
  appIds: string[];
  count: number;
  batch: boolean;
}

/** Stores events for a new webhook. Returns how many are delivered in a second. */
async function deliver(
  { url: databaseUrl }: Database,
  receiver: SlowReceiver,
  { appIds, count, batch }: Events,
): Promise<number> {
  return withRegistry(databaseUrl, async (opened) => {
    const registry = { ...opened, webhookAllowPrivate: true };
    const wanted = { url: receiver.url, types: ['app.updated'], batch, requestsAtOnce };
    const { id } = await createWebhook(registry, commandLine, wanted);
    receiver.expect(count);
    const changes = Array.from({ length: count }, (_, at) => {
      const appId = appIds[at % appIds.length] ?? '';
      return { type: 'app.updated', appId, subjectId: appId, before: {}, after: {} } as const;
    });
    await registry.storage.write((transaction) =>
      appendEvents(transaction, { caller: commandLine, at: registry.now(), changes }),
    );
    const perSecond = await receiver.perSecond();
    await deleteWebhook(registry, commandLine, id);
    return perSecond;
  });
}
