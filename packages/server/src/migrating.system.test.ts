import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { OperatedRegistry } from '@appregistrar/testkit/pages/operated-registry';
import { OperatingPage, suit } from '@appregistrar/testkit/pages/operating-page';
import { linkedLauncher } from '@appregistrar/testkit/programs/program';
import { systemPath } from '@appregistrar/testkit/programs/system-programs';
import type { OperatorApp } from './contract/operator-app.ts';

const page = await OperatingPage.read('migrating');

forEachEngine((engine) => {
  test('the commands of docs/migrating.md migrate its system', async (t) => {
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

    await save('old.sql', 'The old system', 'sql');
    const fill = engine.name === 'postgres' ? 'psql --quiet "$OLD_URL" --file old.sql' : 'sqlite3 legacy.db < old.sql';
    await shell.run(`OLD_URL='${old.url}'\n${fill}`);
    await run('Write CSV files');
    await save('mapping.json', 'Say what the columns mean', 'json');
    await save('new-id.mjs', 'Choose a namespace for ids', 'js');
    const [, computed = ''] = await run('Choose a namespace for ids');
    const [appId = '', developerId = ''] = computed.trim().split('\n');

    const [errors = ''] = await run('Look for errors');
    assert.equal(errors.trim(), page.section('Look for errors').blocks('text')[0]?.trim());
    await run('Import the rest');
    const app = await cli.done<OperatorApp>('app', 'show', appId);
    assert.deepEqual(
      [app.name, app.reviewStatus, app.installationCount, app.createdAt],
      ['Ledger Link', 'APPROVED', 2, '2019-04-02T08:00:00.000Z'],
    );
    assert.deepEqual(app.listingInfo, {
      backgroundColor: '#ffffff',
      shortDescription: 'Syncs "all" invoices, daily',
      longDescription: 'Line one.\nLine two.',
    });
    const developer = await cli.done<{ userId: string; email: string }>('developer', 'show', developerId);
    assert.equal(developer.email, 'ada@example.com');
    const { items } = await cli.done<{ items: OperatorApp[] }>('app', 'list');
    // One more was here before.
    assert.equal(items.length, 1 + 4);
    await assert.rejects(access(join(folder, 'rejects.jsonl')));

    const [again = ''] = await run('Import very much');
    assert.match(again, /unchanged +3/);
    assert.match(await readFile(join(folder, 'rejects.jsonl'), 'utf8'), /"file":"installs.csv","line":5/);
  });
});

/** The page shows the errors, which commands write to standard error. */
function errorsToo(block: string): string {
  return `{ ${block.trim()}\n} 2>&1`;
}
