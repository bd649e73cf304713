import assert from 'node:assert/strict';
import { test } from 'node:test';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { appOf, fileOf, installationOf } from '@appregistrar/testkit/registry/import-file';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import pg from 'pg';
import { commandLine } from '../../kernel/registry.ts';
import { importRegistry } from './import-registry.ts';

const count = 3_000;

test('an import reads no table row by row, although PostgreSQL counted few rows before it', on(postgres), async () => {
  const fixture = await RegistryFixture.open(postgres);
  const client = new pg.Client(fixture.databaseUrl);
  await client.connect();
  const importMany = async (length: number) => {
    const apps = Array.from({ length }, (_, index) => appOf(fixture.developer.id, `${length} ${index}`));
    const lines = [...apps, ...apps.map(({ id }) => installationOf(id))];
    await importRegistry(fixture.registry, commandLine, { open: fileOf(lines) });
  };
  await importMany(20);
  await client.query('vacuum analyze');
  await client.query('select pg_stat_reset()');
  await importMany(count);
  const reads = await readRowByRow(client);
  assert.ok(reads < 10 * count, `${reads} rows were read`);
  await client.end();
  await fixture.close();
});

/** How many rows were read by scans of tables, once the server has counted the import. */
async function readRowByRow(client: pg.Client): Promise<number> {
  for (;;) {
    const { rows } = await client.query(
      `select sum(seq_tup_read)::int as reads, sum(n_tup_ins) filter (where relname = 'installations')::int as stored
        from pg_stat_user_tables`,
    );
    if (rows[0].stored >= count) return rows[0].reads;
    await client.query('select pg_sleep(0.1)');
  }
}
