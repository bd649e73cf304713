import { Command } from 'commander';
import { checkRegistry } from '../features/integrity/check-registry.ts';
import { archiveFile } from './event/archive-file.ts';
import { example } from './options.ts';
import { objectProgress } from './progress/object-progress.ts';
import { registryAction } from './registry-action.ts';

const checkExplanation = `
Prints how much was checked, or lists every violation and exits with 1. The checks:
  - the schema is the one that "migrate" creates
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
