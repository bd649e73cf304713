import { BackupScene } from './backup/backup-scene.ts';
import type { FaultInjection, Figures } from './harness/fault-injection.ts';
import type { Run } from './harness/run.ts';

export const faultInjection: FaultInjection = {
  summary: 'backups of a registry under load, created and restored as documented',
  options: {
    engines: { what: 'which of sqlite, postgres', value: 'sqlite,postgres' },
    rounds: { what: 'backups on each engine, and on SQLite as many killed ones', value: 20, short: 1 },
    installations: { what: 'installations in the registry before the load', value: 200_000, short: 2_000 },
    'response-ms': { what: 'how long a response may take during a backup', value: 2_000, short: 10_000 },
  },
  async run(run) {
    const figures: Figures = {};
    for (const engine of run.text('engines').split(',')) Object.assign(figures, await backUp(run, engine));
    return figures;
  },
  defects: [
    {
      name: 'blind-restore',
      what: 'a database is replaced while a server uses it',
      options: { engines: 'sqlite' },
      patches: [
        {
          file: 'storage/backup.ts',
          in: 'lock',
          find: "database.exec('pragma journal_mode = delete; begin exclusive');",
          replace: '',
        },
      ],
    },
  ],
};

async function backUp(run: Run, engine: string): Promise<Figures> {
  const scene = await BackupScene.open(run, engine);
  const rounds = run.number('rounds');
  for (let round = 0; round < rounds; round += 1) {
    await scene.round(round);
    if ((round + 1) % 5 === 0) run.log(`${engine}: ${round + 1} of ${rounds} backups`);
  }
  await scene.stopLoad();
  await scene.backUpAtRest();
  await scene.assertBackups();
  await scene.assertTags();
  return scene.figures();
}
