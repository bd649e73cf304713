import { Command } from 'commander';
import { checkRegistry } from '../registry/integrity/check-registry.ts';
import { archiveFile } from './event/archive-file.ts';
import { example } from './options.ts';
import { objectProgress } from './progress/object-progress.ts';
import { registryAction } from './registry-action.ts';

const explanation = `
Checks that the schema is the one that "migrate" creates, counts match rows, references resolve, logos belong to the
developer of the app, ids are TypeIDs of their kind, names are unique, revisions are in order, deleted apps can be
restored, installations that wait for an approval are disabled, and each object has its creation event, unless that may
be archived. With --archive, that the files are intact, follow each other up to the last archive, and hold no event that
is in the database too. Prints how much was checked, or every violation, and then exits 1. Reads some rows at a time, so it
may run beside servers: it neither stops their writes nor reports a change that they make meanwhile.
`;

export function checkCommand(): Command {
  return new Command('check')
    .description('Check the consistency of the stored data. Changes nothing.')
    .option('--archive <file...>', 'files created by "event archive", to check with the database')
    .addHelpText('after', explanation + example('app-registry check'))
    .action(
      registryAction<{ archive?: string[] }>(async (registry, { options: { archive = [] } }) => {
        const progress = objectProgress();
        const options = { archives: archive.map(archiveFile), onProgress: progress.show };
        return checkRegistry(registry, options).finally(progress.end);
      }),
    );
}
