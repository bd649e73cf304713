import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { OperatingPage, suit } from '@appregistrar/testkit/pages/operating-page';
import { linkedLauncher } from '@appregistrar/testkit/programs/program';
import { systemPath } from '@appregistrar/testkit/programs/system-programs';
import { OperatedRegistry } from '../test/pages/operated-registry.ts';
import type { OperatorApp } from './features/apps/app-schemas.ts';

const page = await OperatingPage.read('migrating');

forEachEngine((engine) => {
  test('the commands of docs/migrating.md migrate its example system', async (t) => {
    const registry = await OperatedRegistry.open(engine, {
      PATH: [dirname(linkedLauncher), systemPath].join(delimiter),
    });
    const old = await engine.createDatabase();
    t.after(async () => {
      await registry.close();
      await old.drop();
    });
    const { folder, shell, cli } = registry;
    const run = async (title: string) => {
      const blocks = page.section(title).blocks('sh');
      const outputs: string[] = [];
      for (const block of blocks.filter((one) => suit(engine.name, one)))
        outputs.push(await shell.run(errorsToo(block)));
      return outputs;
    };
    const save = (name: string, title: string, language: string) =>
      writeFile(
        join(folder, name),
        page.section(title).blocks(language)[0] ?? assert.fail(`no ${language} in ${title}`),
      );

    await save('old.sql', 'Example system', 'sql');
    const fill = engine.name === 'postgres' ? 'psql --quiet "$OLD_URL" --file old.sql' : 'sqlite3 legacy.db < old.sql';
    await shell.run(`OLD_URL='${old.url}'\n${fill}`);
    await run('Export CSV files');
    await save('mapping.json', 'Map the columns', 'json');
    await save('new-id.mjs', 'Choose an ID namespace', 'js');
    const [, computed = ''] = await run('Choose an ID namespace');
    const [appId = '', developerId = ''] = computed.trim().split('\n');

    const [errors = ''] = await run('Dry run');
    assert.equal(errors.trim(), page.section('Dry run').blocks('text')[0]?.trim());
    await run('Import');
    const app = await cli.done<OperatorApp>('app', 'get', appId);
    assert.deepEqual(
      [app.name, app.reviewStatus, app.installationCount, app.createdAt],
      ['Ledger Link', 'APPROVED', 2, '2019-04-02T08:00:00.000Z'],
    );
    assert.deepEqual(app.listingInfo, {
      backgroundColor: '#ffffff',
      shortDescription: 'Syncs "all" invoices, daily',
      longDescription: 'Line one.\nLine two.',
    });
    const developer = await cli.done<{ id: string; email: string }>('developer', 'get', developerId);
    assert.equal(developer.email, 'ada@example.com');
    const { items } = await cli.done<{ items: OperatorApp[] }>('app', 'list');
    // One app existed before the import.
    assert.equal(items.length, 1 + 4);
    await assert.rejects(access(join(folder, 'rejects.jsonl')));

    const [again = ''] = await run('Large imports');
    assert.match(again, /unchanged +3/);
    assert.match(await readFile(join(folder, 'rejects.jsonl'), 'utf8'), /"file":"installs.csv","line":5/);
  });
});

/** The page shows the errors, which commands write to standard error. */
function errorsToo(block: string): string {
  return `{ ${block.trim()}\n} 2>&1`;
}
