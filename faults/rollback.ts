import type { FaultInjection, Figures } from './harness/fault-injection.ts';
import type { Run } from './harness/run.ts';
import { AsyncFailover, PointInTime } from './rollback/postgres-rollbacks.ts';
import { RollbackScene } from './rollback/rollback-scene.ts';
import { SqliteCopy, SqliteRestore } from './rollback/sqlite-rollbacks.ts';

const rollbacks = {
  'async-failover': AsyncFailover,
  'point-in-time': PointInTime,
  'sqlite-copy': SqliteCopy,
  'sqlite-restore': SqliteRestore,
};
type Name = keyof typeof rollbacks;

/** Under the default, which is the one of these programs. */
const numberOnly = {
  file: 'storage/request-lookups.ts',
  in: 'platformRevisionText',
  find: '[number, revisionNonce, mode, developer]',
  replace: '[number, mode, developer]',
};

export const faultInjection: FaultInjection = {
  summary: 'a database that loses its latest changes: an asynchronous standby promoted, an earlier copy put back',
  options: {
    rounds: { what: 'rounds of each rollback', value: 5, short: 1 },
    rollbacks: {
      what: `which of ${Object.keys(rollbacks).join(', ')}`,
      value: Object.keys(rollbacks).join(','),
      short: 'async-failover,sqlite-copy',
    },
  },
  run: async (run) => {
    const figures: Figures = {};
    for (const name of run.text('rollbacks').split(',') as Name[]) {
      let checks = 0;
      for (let round = 0; round < run.number('rounds'); round += 1) checks += await rollBack(run, name);
      figures[`${name}:`] = `${run.number('rounds')} rounds, ${checks} responses after lost changes`;
    }
    return figures;
  },
  defects: [
    {
      name: 'number-only',
      what: 'the platform view is identified by its number alone',
      options: { rollbacks: 'async-failover' },
      patches: [numberOnly],
    },
    {
      name: 'constant-nonce',
      what: 'every revision has the same nonce',
      options: { rollbacks: 'sqlite-copy' },
      patches: [
        {
          file: 'kernel/revision.ts',
          in: 'newRevisionNonce',
          find: 'takeRandomBytes(9)',
          replace: 'Buffer.alloc(9)',
        },
      ],
    },
  ],
};

/** Returns the number of responses checked. */
async function rollBack(run: Run, name: Name): Promise<number> {
  const scene = await RollbackScene.open(run, await rollbacks[name].open(run));
  await scene.loseChanges();
  await scene.assertNothingLostIsConfirmed();
  await scene.end();
  return scene.checks;
}
