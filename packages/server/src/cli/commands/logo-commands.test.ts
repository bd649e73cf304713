import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { contentOf } from '@appregistrar/testkit/registry/recorded';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { OperatorDeveloper } from '../../features/developers/developer.ts';
import type { Logo } from '../../features/logos/logo.ts';

onSqlite((engine) => {
  let cli: CommandLine;
  let folder: string;
  let developer: string;

  before(async () => {
    cli = await CommandLine.open(engine);
    developer = (await cli.done<OperatorDeveloper>('developer', 'create', '--email', 'ada@example.com')).id;
    folder = await mkdtemp(join(tmpdir(), 'logos-'));
  });
  after(async () => {
    await cli.close();
    await rm(folder, { recursive: true });
  });

  test('logo create prints the logo with its URL, and an app can use it', async () => {
    // The format is detected from the content, not the name.
    const image = join(folder, 'drawing.png');
    await writeFile(image, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle r="4"/></svg>');
    const logo = await cli.done<Logo>('logo', 'create', image, '--developer', developer);
    assert.match(logo.id, /^logo_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    const { id, createdAt, ...rest } = contentOf(logo);
    assert.deepEqual(rest, { developerId: developer, logoUrl: `http://127.0.0.1:8080/logos/${id}` });
    assert.equal(logo.updatedAt, createdAt);
    assert.deepEqual(await cli.done('logo', 'list', '--developer', developer), { items: [logo] });
    const options = ['--developer', developer, '--name', 'With a logo', '--logo-id', logo.id];
    const app = await cli.done<OperatorApp>('app', 'create', ...options);
    assert.deepEqual([app.logoId, app.logoUrl], [logo.id, logo.logoUrl]);
  });

  test('an unreadable file is refused', async () => {
    const missing = await cli.refused('logo', 'create', join(folder, 'missing.png'), '--developer', developer);
    assert.equal(missing.code, 'file_unreadable');
    assert.match(missing.detail, /missing\.png.*ENOENT/);
  });
});
