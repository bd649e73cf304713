import { rmSync } from 'node:fs';
import { openStorage } from '../packages/server/src/storage/open-storage.ts';
import { openAtVersion } from '../packages/server/src/storage/testing/at-version.ts';
import { execute } from '../packages/server/src/storage/testing/storage-test.ts';
import { fillApps } from './migrate/fill-apps.ts';

const file = '/tmp/w/sq.db';
for (const e of ['', '-wal', '-shm']) rmSync(file + e, { force: true });
const url = `sqlite:${file}`;
const s = await openAtVersion(url, 1);
await s.write(async (t) => {
  await execute(t, `insert into developers values ('user_1','a@example.com',null,null,1,1)`);
});
await s.close();
await fillApps(url, { developerId: 'user_1', count: Number(process.argv[2] ?? 1000000) });
let last = performance.now(),
  line = '';
const done = () => {
  const ms = performance.now() - last;
  if (ms > 300 && line) console.log(Math.round(ms), line);
};
const o = await openStorage(url, {
  onMigrating: (l) => {
    done();
    line = l;
    last = performance.now();
  },
});
done();
await o.close();
