import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';

const app = 'app_01jq3v9y6ae0xv5m6b7k8c9d0e';

const columns = ['id', 'createdAt', 'actor', 'text'];

/** The commands of the notes among reviewers. */
export function noteCommands(): Command[] {
  return [listNotesCommand(), createNoteCommand(), deleteNoteCommand()];
}

function listNotesCommand(): Command {
  const command = new Command('list-notes')
    .description('List the internal notes of reviewers about an app, newest first.')
    .argument('<id>', 'the app id');
  return pageOptions(command, columns)
    .addHelpText('after', example(`app-registry app list-notes ${app}`))
    .action(
      operationAction<PageOptions>((run, { args: [id = ''], options: { cursor, limit } }) =>
        run('listNotes', { params: { id }, query: { cursor, limit } }),
      ),
    );
}

function createNoteCommand(): Command {
  return new Command('create-note')
    .description(
      'Add an internal note about an app for reviewers. It is not sent to the developer or recorded in events.',
    )
    .argument('<id>', 'the app id')
    .requiredOption('--text <text>', 'the note')
    .addHelpText('after', example(`app-registry app create-note ${app} --text "The same sender as last week."`))
    .action(
      operationAction<{ text: string }>((run, { args: [id = ''], options: { text } }) =>
        run('createNote', { params: { id }, body: { text } }),
      ),
    );
}

function deleteNoteCommand(): Command {
  return new Command('delete-note')
    .description('Delete a note about an app. Prints the deleted note.')
    .argument('<id>', 'the app id')
    .argument('<note>', 'the note id, as listed by "app list-notes"')
    .addHelpText('after', example(`app-registry app delete-note ${app} note_01jq3w6p4me8xv1c3y9r5q2f7g`))
    .action(operationAction((run, { args: [id = '', noteId = ''] }) => run('deleteNote', { params: { id, noteId } })));
}
