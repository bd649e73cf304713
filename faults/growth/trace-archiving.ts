import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { type Figures, guarantee } from '../harness/fault-injection.ts';
import type { Run } from '../harness/run.ts';
import { ArchiveScene } from './archive-scene.ts';

const strace = '/usr/bin/strace';

/**
 * Traces the system calls of archiving: the file must be synced, then named, and its folder synced, before an event is
 * deleted. Half way an event has a pending delivery: it and all after it must stay.
 */
export async function traceArchiving(run: Run, databaseUrl: string): Promise<Figures> {
  if (!existsSync(strace)) throw new Error('strace is missing. On Debian and Ubuntu: apt-get install strace');
  const scene = await ArchiveScene.create(run, databaseUrl);
  const half = Math.floor(scene.oldCount / 2);
  await addDelivery(databaseUrl, scene.ids[half] ?? '');
  const trace = join(scene.folder, 'trace');
  const archiving = scene.archive([strace, '-f', '-y', '-o', trace, '-e', 'trace=fsync,fdatasync,link,linkat,unlink']);
  const status = await archiving.ended;
  guarantee(status === 0, () => `archiving ends with ${status}: ${archiving.lastOutput}`);
  guarantee(scene.archivedIds().length === half, () => `${scene.archivedIds().length} events are archived, of ${half}`);
  guarantee((await scene.storedIds()).length === scene.ids.length - half, 'other events are deleted than archived');

  const calls = readFileSync(trace, 'utf8').split('\n');
  const at = (call: RegExp) => calls.findIndex((line) => call.test(line));
  const synced = at(/f(?:data)?sync\(\d+<.*events\.jsonl\.gz\.part>/);
  const named = at(/link(?:at)?\(.*events\.jsonl\.gz\.part.*events\.jsonl\.gz"/);
  const folderSynced = calls.findIndex((line) => line.includes('fsync(') && line.includes(`<${scene.folder}>`));
  guarantee(synced >= 0 && synced < named, 'the file is named before it is synced');
  guarantee(folderSynced > named, 'the folder is not synced after the file is named');
  return { traced: calls.length };
}

async function addDelivery(databaseUrl: string, eventId: string): Promise<void> {
  await withRegistry(databaseUrl, ({ storage }) =>
    storage.write(async (transaction) => {
      await execute(
        transaction,
        `insert into webhooks (id, url, secret, created_at, updated_at)
          values ('webhook_1', 'https://hooks.example.com/', 'whsec_AA==', 0, 0)`,
      );
      await execute(
        transaction,
        `insert into deliveries (id, webhook_id, event_id, queue, state, attempts, due_at, created_at)
          values ('delivery_1', 'webhook_1', '${eventId}', 'app_1', 'pending', 0, 0, 0)`,
      );
    }),
  );
}
