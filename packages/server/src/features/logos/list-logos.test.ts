import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listLogos } from '@appregistrar/testkit/calls/logos';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import type { Logo } from './logo.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  const logos: Logo[] = [];
  let ofOther: Logo;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    for (let made = 0; made < 3; made += 1) logos.push(await fixture.newLogo());
    ofOther = await fixture.newLogo(fixture.otherDeveloper.userId);
  });
  after(() => fixture.close());

  const list = (query: object) => listLogos(fixture.registry, query);

  test('the logos of a developer are listed in order of creation, in pages', async () => {
    const developerId = fixture.developer.userId;
    assert.deepEqual(await list({ developerId }), { items: logos });
    const first = await list({ developerId, limit: 2 });
    assert.deepEqual(first.items, logos.slice(0, 2));
    const second = await list({ developerId, limit: 2, cursor: first.nextCursor });
    assert.deepEqual([second.items, second.nextCursor], [logos.slice(2), undefined]);
  });

  test('without a developer all logos are listed, in pages', async () => {
    const first = await list({ limit: 3 });
    const second = await list({ limit: 3, cursor: first.nextCursor });
    assert.deepEqual([first.items, second.items, second.nextCursor], [logos, [ofOther], undefined]);
  });

  test('an unknown developer has no logos, and an id of another kind is refused', async () => {
    assert.deepEqual(await list({ developerId: newId('user') }), { items: [] });
    const refused = async (query: object) =>
      validationErrorsOf(await assertRefused(fixture.registry, () => list(query), 'invalid_content'));
    assert.deepEqual(await refused({ developerId: newId('app') }), ['developerId invalid_format']);
  });
});
