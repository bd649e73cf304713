import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { test } from 'node:test';
import { createLogo } from '@appregistrar/testkit/calls/logos';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { exportText, importText } from '@appregistrar/testkit/registry/export-text';
import { created, unchanged } from '@appregistrar/testkit/registry/import-file';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import sharp from 'sharp';
import { commandLine } from '../../kernel/registry.ts';

const side = 512;

test('a stored logo may be larger than any upload, and an import accepts it', async () => {
  const fixture = await RegistryFixture.open(sqlite);
  const other = await RegistryFixture.open(sqlite);
  await createLogo(fixture.registry, commandLine, { developerId: fixture.developer.userId, image: await noise() });
  const text = await exportText(fixture.registry);
  const [, , logo = ''] = text.split('\n');
  assert.ok(Buffer.from(JSON.parse(logo).png, 'base64').length > 1_048_576);

  assert.deepEqual(await importText(other.registry, text), created({ developers: 2, logos: 1 }));
  assert.ok((await exportText(other.registry)).includes(logo));
  assert.deepEqual(await importText(fixture.registry, text), unchanged({ developers: 2, logos: 1 }));
  await other.close();
  await fixture.close();
});

/** Two identical halves: WebP exploits the repetition; for PNG it is too far apart. */
async function noise(): Promise<Uint8Array> {
  const half = randomFillSync(Buffer.alloc((side * side * 4) / 2));
  const raw = { width: side, height: side, channels: 4 } as const;
  const image = await sharp(Buffer.concat([half, half]), { raw })
    .webp({ lossless: true, exact: true })
    .toBuffer();
  assert.ok(image.length < 700_000);
  return image;
}
