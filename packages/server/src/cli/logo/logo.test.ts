import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, validationErrorsOf } from '@appregistrar/testkit/programs/command-line';
import sharp from 'sharp';
import type { Developer } from '../../contract/developer.ts';
import type { Logo } from '../../contract/logo.ts';
import type { OperatorApp } from '../../contract/operator-app.ts';

onSqlite((engine) => {
  let cli: CommandLine;
  let folder: string;
  let image: string;
  let developer: string;
  let other: string;

  before(async () => {
    cli = await CommandLine.open(engine);
    developer = (await cli.done<Developer>('developer', 'create', '--email', 'ada@example.com')).userId;
    other = (await cli.done<Developer>('developer', 'create', '--email', 'grace@example.com')).userId;
    folder = await mkdtemp(join(tmpdir(), 'logos-'));
    image = join(folder, 'logo.png');
    await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).toFile(image);
  });
  after(async () => {
    await cli.close();
    await rm(folder, { recursive: true });
  });

  const createApp = (name: string, ...options: string[]) => [
    'app',
    'create',
    '--developer',
    developer,
    '--name',
    name,
    ...options,
  ];

  test('logo create prints the logo with its URL, and an app can use it', async () => {
    const logo = await cli.done<Logo>('logo', 'create', image, '--developer', developer);
    assert.match(logo.id, /^logo_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.deepEqual(logo, { id: logo.id, developerId: developer, logoUrl: `http://127.0.0.1:8080/logos/${logo.id}` });
    const app = await cli.done<OperatorApp>(...createApp('With a logo', '--logo-id', logo.id));
    assert.deepEqual([app.logoId, app.logoUrl], [logo.id, logo.logoUrl]);
  });

  test('logo create accepts an SVG, and logo list prints the logos of a developer', async () => {
    const { userId } = await cli.done<Developer>('developer', 'create', '--email', 'joan@example.com');
    // The format is detected from the content, not the name.
    const file = join(folder, 'drawing.png');
    await writeFile(file, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle r="4"/></svg>');
    const drawn = await cli.done<Logo>('logo', 'create', file, '--developer', userId);
    const photographed = await cli.done<Logo>('logo', 'create', image, '--developer', userId);
    const list = await cli.done('logo', 'list', '--developer', userId);
    assert.deepEqual(list, { items: [drawn, photographed] });
  });

  test('the logo of another developer is refused for an app', async () => {
    const { id } = await cli.done<Logo>('logo', 'create', image, '--developer', other);
    const refusal = await cli.refused(...createApp('With a borrowed logo', '--logo-id', id));
    assert.deepEqual(validationErrorsOf(refusal), ['/logoId unusable_logo']);
  });

  test('an unreadable file and a file that is not an image are refused', async () => {
    const missing = await cli.refused('logo', 'create', join(folder, 'missing.png'), '--developer', developer);
    assert.equal(missing.code, 'file_unreadable');
    assert.match(missing.detail, /missing\.png.*ENOENT/);
    const text = join(folder, 'text.png');
    await writeFile(text, 'not an image');
    assert.deepEqual(validationErrorsOf(await cli.refused('logo', 'create', text, '--developer', developer)), [
      '/image invalid_format',
    ]);
  });

  test('an unknown developer is refused', async () => {
    const refusal = await cli.refused('logo', 'create', image, '--developer', 'user_01jq3v8nbtf4mrk6d2m3wz5x7c');
    assert.equal(refusal.code, 'developer_not_found');
  });
});
