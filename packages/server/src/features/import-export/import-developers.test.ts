import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { eraseDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { appOf, developerOf, fileOf, type Line, refusalOf } from '@appregistrar/testkit/registry/import-file';
import { everything } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import { getApp } from '../apps/get-app.ts';
import { importRegistry } from './import-registry.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const importLines = (lines: Line[]) => importRegistry(fixture.registry, commandLine, { open: fileOf(lines) });

  test('an export from before an erasure does not restore the person, unless an operator restored them first', async () => {
    const developer = { ...developerOf(), firstName: 'Marie' };
    const app = appOf(developer.userId, 'Of an erased developer');
    await importLines([developer, app]);
    await eraseDeveloper(fixture.registry, commandLine, developer.userId);

    const email = 'erased@developer.invalid';
    const stored = await everything(fixture.registry.storage);
    const { firstName: _, ...nameless } = developer;
    for (const line of [developer, nameless, { ...developer, email }]) {
      const { errors } = await refusalOf(importLines([line, app]));
      assert.deepEqual(
        errors.map(({ line: number, pointer, code }) => `${number} ${pointer} ${code}`),
        ['1 /userId not_allowed'],
      );
      assert.match(errors[0]?.detail ?? '', /erased@developer\.invalid .* "developer update"/);
    }
    assert.deepEqual(await everything(fixture.registry.storage), stored);

    const { developers, apps } = await importLines([
      { ...nameless, email },
      { ...app, name: 'Another name' },
    ]);
    assert.deepEqual([developers.unchanged, apps.updated], [1, 1]);
    const { userId } = developer;
    await updateDeveloper(fixture.registry, commandLine, { userId, update: { email: 'new@example.com' } });
    await importLines([developer]);
    assert.equal((await getApp(fixture.registry, app.id)).app.developer.firstName, 'Marie');
  });
});
