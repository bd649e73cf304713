import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createApp } from '@appregistrar/testkit/calls/apps';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { commandLine } from '../packages/server/src/kernel/registry.ts';
import { ArchiveScene } from './growth/archive-scene.ts';
import { createCredentials } from './harness/credentials.ts';
import { type FaultInjection, type Figures, guarantee } from './harness/fault-injection.ts';
import { freshUrl } from './harness/fresh-database.ts';
import type { Run } from './harness/run.ts';
import { Service } from './harness/service.ts';

export const faultInjection: FaultInjection = {
  summary: 'data from elsewhere: rows whose sequences were not copied, and an archive of events that someone changed',
  options: {
    changes: { what: 'changes before and after the sequences fall behind', value: 200, short: 20 },
    events: { what: 'events in the archive', value: 5_000, short: 300 },
  },
  run: async (run) => ({ ...(await lateSequences(run)), ...(await changedArchive(run)) }),
  defects: [
    {
      name: 'lost-deliveries',
      what: 'a delivery that conflicts with another is skipped',
      patches: [
        {
          file: 'storage/postgres/postgres-connection.ts',
          in: 'PostgresConnection.insertAll',
          find: "      '',",
          replace: "      'on conflict do nothing',",
        },
      ],
    },
  ],
};

/** Logical replication leaves the sequences at their start. No change may be acknowledged without its delivery. */
async function lateSequences(run: Run): Promise<Figures> {
  const databaseUrl = await freshUrl(run, 'postgres');
  const { developerId, developer } = await createCredentials(databaseUrl);
  const appId = await withRegistry(databaseUrl, async (registry) => {
    await createWebhook(registry, commandLine, { url: 'https://receiver.example/hooks' });
    return (await createApp(registry, commandLine, { developerId, name: 'Copied' })).id;
  });
  const query = <Row>(sql: string) =>
    withRegistry(databaseUrl, ({ storage }) => storage.write((transaction) => execute<Row>(transaction, sql)));
  const service = await Service.create({ source: run.source, databaseUrl });
  run.atEnd(() => service.kill());
  await service.start();
  let changes = 0;
  const acknowledged = async () => {
    let count = 0;
    for (let left = run.number('changes'); left > 0; left -= 1) {
      changes += 1;
      const update = { listingInfo: { shortDescription: `Change ${changes}` } };
      const { status } = await send(service.publicUrl, updateAppRequest(developer, { id: appId, update }));
      if (status === 200) count += 1;
    }
    return count;
  };
  await acknowledged();
  await query('alter table deliveries alter column position restart');
  const late = await acknowledged();
  await service.command('migrate');
  const after = await acknowledged();
  const [lost] = await query<{ count: number }>(`select count(*) as count from events
    where type = 'app.updated' and not exists (select 1 from deliveries where event_id = events.id)`);
  guarantee(Number(lost?.count) === 0, `${lost?.count} acknowledged changes have no delivery`);
  guarantee(after === run.number('changes'), `after migrate only ${after} changes are acknowledged`);
  await service.stop();
  return { 'acknowledged with late sequences': late, 'after migrate': after };
}

/** Anyone who changes a file computes its checksum too. Nothing of it may be restored. */
async function changedArchive(run: Run): Promise<Figures> {
  const databaseUrl = await freshUrl(run, 'sqlite');
  await createCredentials(databaseUrl);
  const scene = await ArchiveScene.create(run, databaseUrl);
  const service = await Service.create({ source: run.source, databaseUrl });
  await service.command('event', 'archive', '--before', '2999-01-01T00:00:00Z', scene.file);
  copyFileSync(scene.file, `${scene.file}.original`);
  const [end = '', ...lines] = gunzipSync(readFileSync(scene.file)).toString().trimEnd().split('\n').toReversed();
  const body = `${lines.toReversed().join('\n')}\n`.replaceAll(/"actor":"[^"]*"/g, '"actor":"token_forged"');
  const sha256 = createHash('sha256').update(body).digest('hex');
  writeFileSync(scene.file, gzipSync(`${body}${JSON.stringify({ ...JSON.parse(end), sha256 })}\n`));
  const wasRestored = await service.command('event', 'restore', scene.file).then(
    () => true,
    () => false,
  );
  const forged = await scene.query("select id from events where actor = 'token_forged'");
  guarantee(!wasRestored && forged.length === 0, `${forged.length} events of a changed archive were restored`);
  await service.command('event', 'restore', `${scene.file}.original`);
  const stored = await scene.storedIds();
  guarantee(
    scene.ids.every((id) => stored.includes(id)),
    'the original archive was not restored',
  );
  return { 'events restored from the original': scene.oldCount };
}
