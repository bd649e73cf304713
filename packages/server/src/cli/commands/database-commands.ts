import { Command } from 'commander';
import { exportRegistry } from '../../features/import-export/export-registry.ts';
import { checkRegistry } from '../../features/integrity/check-registry.ts';
import type { Registry } from '../../kernel/registry.ts';
import { backupDatabase, restoreDatabase } from '../../storage/backup.ts';
import { advanceSequences, schemaVersion } from '../../storage/schema.ts';
import { archiveFile, writeNewFile, writeOutput } from '../command-files.ts';
import { example } from '../command-options.ts';
import { objectProgress } from '../progress-line.ts';
import { configOf, printResult, registryAction, withRegistry } from '../registry-action.ts';

const migrateExplanation = `
Also advances each sequence of PostgreSQL that is behind its table, as after logical replication or a restore of the data
alone, and names the table.
Servers of the previous release keep reading and writing, during the migration and after it. Each step is reported on
standard error; with --json only on a terminal. An interrupted migration resumes where it stopped: run the command
again, or start a server. If several processes start a migration, one migrates and the others wait.
`;

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create a registry, or migrate its schema to this version. Every other command also migrates it.')
    .addHelpText(
      'after',
      migrateExplanation + example('app-registry migrate --database-url postgres://registry@db/registry'),
    )
    .action(
      // `registryAction` has opened the database, which migrates it.
      registryAction(
        async ({ storage }) => {
          const advanced = (await advanceSequences(storage)).map(({ table }) => table);
          const result = { engine: storage.engine, schemaVersion: await schemaVersion(storage) };
          return advanced.length === 0 ? result : { ...result, advancedSequences: advanced };
        },
        { create: true, showsSteps: true },
      ),
    );
}

const checkExplanation = `
Prints how much was checked, or lists every violation and exits with 1. The checks:
  - the schema is the one that "migrate" creates, and no sequence is behind its table
  - counts match rows, references resolve, and ids are TypeIDs of their kind
  - names are unique, revisions are in order, and deleted apps can be restored
  - logos belong to the developer of the app
  - installations that wait for an approval are disabled
  - each object has its creation event, unless it may be archived
  - search texts, and the names and hosts that apps are compared by, are those of their objects
  - with --archive: the files are intact, consecutive up to the last archive, and hold no event that is also in the database
It is safe to run while servers are running: it reads in small steps, does not block writes, and does not report changes
made in the meantime.
`;

export function checkCommand(): Command {
  return new Command('check')
    .description('Check the consistency of the stored data. Changes nothing.')
    .option('--archive <file...>', 'files created by "event archive", to check against the database')
    .addHelpText('after', checkExplanation + example('app-registry check'))
    .action(
      registryAction<{ archive?: string[] }>(async (registry, { options: { archive = [] } }) => {
        const progress = objectProgress('check');
        const options = { archives: archive.map(archiveFile), onProgress: progress.show };
        return checkRegistry(registry, options).finally(progress.end);
      }),
    );
}

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy a SQLite database to a new file. Safe while a server is running.')
    .argument('<file>', 'the file to create; an existing file is not overwritten')
    .addHelpText('after', example('app-registry backup /backups/registry-2026-03-01.db'))
    .action(async function action(this: Command, file: string) {
      const warning = await backupDatabase(configOf(this).databaseUrl, file, new Date());
      if (warning !== null) this.configureOutput().writeErr?.(`Warning: ${warning}\n`);
      printResult(this, { file });
    });
}

const restoreExplanation = `
Stop every server first: a database in use is not replaced. The previous database is renamed, and its new name printed.
A backup is rejected if it is damaged, or has a table, trigger, view or constraint that "migrate" would not create.
Every ETag issued before the restore becomes invalid.
`;

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Replace a SQLite database with a backup.')
    .argument('<file>', 'a file created by "backup"')
    .addHelpText('after', restoreExplanation + example('app-registry restore /backups/registry-2026-03-01.db'))
    .action(async function action(this: Command, file: string) {
      const { replaced } = await restoreDatabase(configOf(this).databaseUrl, file, new Date());
      printResult(this, { file, ...(replaced !== null && { replaced }) });
    });
}

const exportExplanation = `
Writes one JSON object per line, in the format of "import": developers, logos, apps and installations, with their ids,
times, review status and approved content, and the deleted apps that can be restored. Tokens and events are not
included: use "backup" to save those.
The same registry produces identical output on SQLite and PostgreSQL. An existing FILE is not overwritten.
`;

export function exportCommand(): Command {
  return new Command('export')
    .description('Export a consistent snapshot of the registry as JSON Lines.')
    .argument('[file]', 'the file to create (default: standard output)')
    .addHelpText('after', exportExplanation + example('app-registry export registry.jsonl'))
    .action(async function action(this: Command, file?: string) {
      await withRegistry(configOf(this), async (registry) => {
        if (file === undefined) {
          await writeOutput(this, (write) => exported(registry, write, { isShown: !process.stdout.isTTY }));
          return;
        }
        const summary = await writeNewFile(file, (write) => exported(registry, write, { isShown: true }));
        printResult(this, { file, ...summary });
      });
    });
}

/** A terminal that shows the lines themselves shows no progress. */
async function exported(
  registry: Registry,
  write: (lines: string) => Promise<void>,
  { isShown }: { isShown: boolean },
) {
  const progress = objectProgress('export');
  try {
    return await exportRegistry(registry, write, { ...(isShown && { onProgress: progress.show }) });
  } finally {
    if (isShown) progress.end();
  }
}
