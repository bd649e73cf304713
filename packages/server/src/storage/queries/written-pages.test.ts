import assert from 'node:assert/strict';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Statement } from '../statement.ts';
import { execute, storageTest } from '../testing/storage-test.ts';
import { findWrittenPages } from './written-pages.ts';

storageTest(sqlite, 'a change of an app writes only to indexes whose pages are read ahead', async ({ reader }) => {
  const plans: string[] = [];
  const explaining = {
    builder: reader.builder,
    rows: async <Row>({ sql, parameters, ...statement }: Statement<Row>): Promise<Row[]> => {
      const plan = { ...statement, name: undefined, sql: `explain query plan ${sql}`, parameters };
      plans.push(...(await reader.rows<{ detail: string }>(plan as never)).map(({ detail }) => detail));
      return [];
    },
  };
  await findWrittenPages(explaining, { id: 'app' });
  const isRead = (index: string) => plans.some((detail) => detail.includes(`INDEX ${index} (`));
  const indexes = (await execute(
    reader,
    `select name from pragma_index_list('apps') where origin = 'c'
      union all select 'events_of_app_by_class' union all select 'name_claims_of_app'`,
  )) as { name: string }[];
  assert.ok(indexes.length > 8);
  assert.deepEqual(
    indexes.filter(({ name }) => !isRead(name)),
    [],
  );
});
