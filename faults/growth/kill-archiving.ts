import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Figures, guarantee } from '../harness/fault-injection.ts';
import type { Run } from '../harness/run.ts';
import { ArchiveScene } from './archive-scene.ts';

/**
 * Kills archiving while it writes its file, once the file is there, and twice while it deletes. After each kill every event
 * must be in the database or in the whole file; a last run must complete the work.
 */
export async function killArchiving(run: Run, databaseUrl: string): Promise<Figures> {
  const scene = await ArchiveScene.create(run, databaseUrl);
  const stored = async () => (await scene.storedIds()).length;
  const moments = [
    () => existsSync(`${scene.file}.part`) || existsSync(scene.file),
    () => existsSync(scene.file),
    async () => (await stored()) < scene.ids.length,
    async () => (await stored()) < 0.8 * scene.ids.length,
  ];
  let kills = 0;
  for (const moment of moments) {
    const archiving = scene.archive();
    while (!archiving.hasEnded && !(await moment())) await sleep(1);
    if ((await archiving.end('SIGKILL')) === 'SIGKILL') kills += 1;
    await assertNothingLost(scene, kills);
  }
  const last = scene.archive();
  const status = await last.ended;
  guarantee(status === 0, () => `after ${kills} kills, archiving ends with ${status}: ${last.lastOutput}`);
  await assertNothingLost(scene, kills);
  const [archived, rest] = [scene.archivedIds(), await scene.storedIds()];
  guarantee(isDeepStrictEqual(archived, scene.ids.slice(0, scene.oldCount)), 'the file does not hold all old events');
  guarantee(
    isDeepStrictEqual(rest, scene.ids.slice(scene.oldCount)),
    'the database does not hold only the young events',
  );
  guarantee(readdirSync(scene.folder).length === 1, 'archiving leaves other files');
  return { archived: archived.length, kills };
}

async function assertNothingLost(scene: ArchiveScene, kills: number): Promise<void> {
  let archived: string[];
  try {
    archived = scene.archivedIds();
  } catch (error) {
    guarantee(false, `after ${kills} kills, the file is not whole: ${error}`);
  }
  const known = new Set([...archived, ...(await scene.storedIds())]);
  const lost = scene.ids.filter((id) => !known.has(id)).length;
  guarantee(lost === 0, `after ${kills} kills, ${lost} events are lost`);
}
