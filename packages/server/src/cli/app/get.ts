import { Command, Option } from 'commander';
import type { RevisionName } from '../../kernel/revision.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example, revisionName, utcTime } from '../options.ts';

interface Options {
  revision?: RevisionName;
  at?: string;
}

const examples = [
  'app-registry app get app_01jq3v9y6ae0xv5m6b7k8c9d0e',
  'app-registry app get app_01jq3v9y6ae0xv5m6b7k8c9d0e --revision 7',
  'app-registry app get app_01jq3v9y6ae0xv5m6b7k8c9d0e --at 2026-03-01T09:30:00Z',
];

export function appGetCommand(): Command {
  return new Command('get')
    .description('Show an app with its content, revision and approved content, or its content at a revision or time.')
    .argument('<id>', 'the app id')
    .addOption(
      new Option('--revision <revision>', 'show the content at this revision, given by number or ETag').argParser(
        revisionName,
      ),
    )
    .addOption(
      new Option('--at <time>', 'show the content at a UTC time such as 2026-03-01T09:30:00Z')
        .argParser(utcTime)
        .conflicts('revision'),
    )
    .addHelpText('after', example(...examples))
    .action(
      operationAction<Options>((run, { args: [id = ''], options: { revision, at } }) => {
        const name = at ?? revision;
        return name === undefined
          ? run('getAppAsOperator', { params: { id } })
          : run('getRevision', { params: { id, revision: String(name) } });
      }),
    );
}
