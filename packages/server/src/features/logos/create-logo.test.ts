import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLogo } from '@appregistrar/testkit/calls/logos';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import sharp from 'sharp';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { updateApp } from '../apps/update-app.ts';
import { renderLogo } from './logo.ts';
import { getLogo } from './logos.ts';

onSqlite((engine) => {
  let fixture: RegistryFixture;
  let image: Uint8Array;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
  });
  after(() => fixture.close());

  const add = (developerId: string, bytes = image) =>
    createLogo(fixture.registry, commandLine, { developerId, image: bytes });
  const showOn = (appId: string, logoId: string) =>
    updateApp(fixture.registry, commandLine, { appId, developerId: fixture.developer.userId, update: { logoId } });

  test('a logo is stored redrawn, under its own URL', async () => {
    const { id, developerId, logoUrl } = await add(fixture.developer.userId);
    assert.match(id, /^logo_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.deepEqual([developerId, logoUrl], [fixture.developer.userId, `https://apps.example.com/logos/${id}`]);
    assert.deepEqual(Buffer.from(await getLogo(fixture.registry, id)), Buffer.from(await renderLogo(image)));
  });

  test('a logo is shown by apps of its developer, and by no others', async () => {
    const own = await add(fixture.developer.userId);
    const others = await add(fixture.otherDeveloper.userId);
    const { id } = await fixture.newApp();
    assert.equal((await showOn(id, own.id)).app.logoUrl, own.logoUrl);
    const failure = await assertRefused(fixture.registry, () => showOn(id, others.id), 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure), ['/logoId unusable_logo']);
  });

  test('a file that is not an image is refused, and nothing is stored', async () => {
    const work = () => add(fixture.developer.userId, Buffer.from('no image'));
    assert.deepEqual(validationErrorsOf(await assertRefused(fixture.registry, work, 'invalid_content')), [
      '/image invalid_format',
    ]);
  });

  test('validation errors of the image and the developer are reported together', async () => {
    const work = () => add('ada', Buffer.from('no image'));
    const failure = await assertRefused(fixture.registry, work, 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure), ['/developerId invalid_format', '/image invalid_format']);
  });

  test('an unknown developer is refused', async () => {
    await assertRefused(fixture.registry, () => add(newId('user')), 'developer_not_found');
    const failure = await assertRefused(fixture.registry, () => add('ada'), 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure), ['/developerId invalid_format']);
  });
});
