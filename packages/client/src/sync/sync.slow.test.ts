import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { forEachEngine, on, postgres } from '@appregistrar/testkit/engines/engines';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { appOf, developerOf, installationOf } from '@appregistrar/testkit/registry/import-file';
import type { OperatorClient } from '../operator/operator-client.ts';
import { LossyProxy } from '../testing/lossy-proxy.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import { assertSame, openCopy } from './testing/open-copy.ts';
import { changeAtRandom, type Playground } from './testing/random-changes.ts';

forEachEngine((engine) => {
  let registry: ServedRegistry;
  let operator: OperatorClient;
  before(async () => {
    registry = await ServedRegistry.start({}, engine);
    operator = await registry.operator();
  });
  after(() => registry.stop());

  test('concurrent changes leave copies equal to the registry, also over connections that are reset', async (t) => {
    const playground = await fill(registry, operator);
    const proxy = await LossyProxy.start(t, Number(new URL(registry.operatorUrl).port));
    const lossy = await registry.operator({
      fetch: (url, init) => fetch(String(url).replace('http://registry.example', proxy.baseUrl), init),
      maxRetries: 0,
    });
    const errors: unknown[] = [];
    const copies: Awaited<ReturnType<typeof openCopy>>[] = [];
    const copying = async () => {
      copies.push(await openCopy(t, operator));
      copies.push(await openCopy(t, lossy, { onError: (error) => errors.push(error) }));
      for (let round = 0; round < 3; round += 1) {
        proxy.loseResponses(1);
        await changeAtRandom(operator, playground, 20);
      }
    };
    const writers = Array.from({ length: 6 }, () => changeAtRandom(operator, playground, 40));
    await Promise.all([copying(), ...writers]);
    for (const { copy, caughtUp } of copies) {
      await caughtUp(operator);
      await assertSame(copy, operator);
    }
    assert.ok(errors.length > 0);
  });

  test('no change is undone: each app gets its names in the order in which they were set', async (t) => {
    const apps = await Promise.all(Array.from({ length: 4 }, () => registry.data.newApp()));
    let isDone = false;
    const writers = apps.map(async ({ id }) => {
      for (let number = 1; number <= 30 || !isDone; number += 1) {
        await operator.apps.update(id, { name: `${id} ${number}` });
      }
    });
    const copying = async () => {
      const { copy, reports, caughtUp } = await openCopy(t, operator);
      const first = apps.map(({ id }) => copy.app(id));
      isDone = true;
      await Promise.all(writers);
      await caughtUp();
      for (const [at, { id }] of apps.entries()) {
        const names = [first[at], ...reports.about(id).map(({ after }) => after)];
        const numbers = names.map((shown) => Number((shown as { name: string }).name.split(' ').at(-1)));
        assert.deepEqual(
          numbers,
          numbers.toSorted((one, other) => one - other),
        );
      }
    };
    await Promise.all([copying(), ...writers]);
  });
});

test('what the feed holds back does not undo what the snapshot has', on(postgres), async (t) => {
  const registry = await ServedRegistry.start({}, postgres);
  t.after(() => registry.stop());
  const operator = await registry.operator();
  const app = await registry.data.newApp();
  const slow = await registry.data.newApp();
  const goOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { storage } = registry.data.registry;
  const unfinished = storage.write(async (transaction) => {
    await transaction.run(
      transaction.builder.updateTable('apps').set({ updated_at: 0 }).where('id', '=', slow.id).compile(),
    );
    begun.resolve();
    await goOn.promise;
  });
  await begun.promise;
  // More than a page of the feed.
  for (let number = 1; number <= 130; number += 1) await operator.apps.update(app.id, { name: `Name ${number}` });
  const { copy, reports, caughtUp } = await openCopy(t, operator);
  assert.equal(copy.app(app.id)?.name, 'Name 130');
  goOn.resolve();
  await unfinished;
  await caughtUp();
  assert.equal(copy.app(app.id)?.name, 'Name 130');
  assert.deepEqual(reports.about(app.id), []);
  // Before the registry: the first that was opened ends first.
  await copy.close();
});

/** Several pages of each list, of which few items change. */
async function fill({ data }: ServedRegistry, operator: OperatorClient): Promise<Playground> {
  const developers = [developerOf(), developerOf(), developerOf()];
  const apps = Array.from({ length: 250 }, (_, at) =>
    appOf(developers[at % developers.length]?.userId ?? '', `App ${randomUUID()}`),
  );
  const workspaceIds = Array.from({ length: 5 }, () => installationOf('').workspaceId);
  const installations = apps.flatMap(({ id }) =>
    workspaceIds.slice(0, 2).map((workspaceId) => ({ ...installationOf(id), workspaceId })),
  );
  const lines = [...developers, ...apps, ...installations];
  await importText(data.registry, lines.map((line) => JSON.stringify(line)).join('\n'));
  const appIds = apps.filter((_, at) => at % 25 === 0).map(({ id }) => id);
  for (const id of appIds)
    await operator.apps.submit(id).then(({ etag }) => operator.apps.approve(id, { revision: etag }));
  return { appIds, developerIds: developers.map(({ userId }) => userId), workspaceIds };
}
