import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { freshStorage } from 'app-registry-testkit/engines/fresh-storage';
import { previousVersions } from 'app-registry-testkit/programs/previous-program';
import { programOf, rollBeside, withPrograms } from 'app-registry-testkit/programs/roll-beside';
import { migrations } from './storage/migrations/index.ts';
import { execute } from './storage/testing/storage-test.ts';

const currentVersion = migrations.length;
const usableFrom = Math.max(...migrations.map((migration) => migration.usableFrom));

withPrograms(previousVersions);

test('every schema version whose programs may use this schema has a test program', () => {
  const usable = Array.from({ length: currentVersion - usableFrom }, (_, at) => usableFrom + at);
  const missing = usable.filter((version) => !previousVersions.includes(version));
  assert.deepEqual(missing, [], 'name the last commit of each in packages/testkit/src/programs/previous-program.ts');
});

// Older ones are in roll.system.test.ts.
rollBeside(currentVersion - 1);

forEachEngine((engine) => {
  for (const version of [...previousVersions, currentVersion]) {
    // A compatible program continues to serve.
    test(`the program of schema ${version} refuses a schema that needs a newer one`, { timeout: 30_000 }, async (t) => {
      const { storage, url, end } = await freshStorage(engine);
      const program = programOf(version, url);
      t.after(async () => {
        await program.kill();
        await end();
      });
      const versions = { version: currentVersion + 1, usable_from: version + 1 };
      await storage.write((transaction) =>
        transaction.run(transaction.builder.updateTable('schema_version').set(versions).compile()),
      );
      assert.deepEqual(await program.run('serve'), {
        status: 1,
        signal: null,
        stdout: '',
        stderr: `app-registry: The database has schema version ${versions.version}, which needs a newer app-registry: this one knows version ${version}. Nothing was changed. Upgrade app-registry, or name another database.\n`,
      });
      const stored = await execute(storage.reader, 'select version, usable_from from schema_version');
      assert.deepEqual(stored.map(Object.values), [Object.values(versions)]);
    });
  }
});
