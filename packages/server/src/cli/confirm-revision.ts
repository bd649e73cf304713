import { once } from 'node:events';
import { approvedContent } from '../../../client/src/operator/index.ts';
import { type AppContentField, appContentFields, contentValue } from '../features/apps/app-content.ts';
import type { OperatorApp } from '../features/apps/app-schemas.ts';
import type { RevisionName } from '../kernel/revision.ts';
import type { OperationInvocation } from './operation-action.ts';
import type { RunOperation } from './run-operation.ts';

/** A person did not confirm what a command was about to do. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

/**
 * The ETag of the revision that a decision about an app is for: the one given by `--revision` or, on a terminal, the current
 * one after a person has seen it and confirmed. `verb` begins the question, as in
 * `Approve`. Otherwise wrong usage, or `NotConfirmed`.
 */
export async function confirmRevision(
  run: RunOperation,
  { command, args: [appId = ''], options }: OperationInvocation<{ revision?: RevisionName }>,
  verb: string,
): Promise<string> {
  if (options.revision !== undefined) return tagOf(run, appId, options.revision);
  const app = await run('getApp', { params: { id: appId } });
  const { id, revision, etag } = app;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    command.error(
      `error: name the reviewed revision with --revision; ${id} is now at revision ${revision}: review it with "app-registry app get ${id}"`,
    );
  }
  command.configureOutput().writeErr?.(`${summary(app)}\n${verb} revision ${revision} of ${quoted(app.name)}? [y/N] `);
  const line = await nextLine();
  if (line === undefined) command.configureOutput().writeErr?.('\n');
  if (!/^y(es)?$/i.test(line?.trim() ?? '')) {
    throw new NotConfirmed(`Revision ${revision} of ${id} was not confirmed. Nothing was changed.`);
  }
  return etag;
}

/** A number without a revision becomes a tag that matches none, so that the decision itself reports it. */
async function tagOf(run: RunOperation, id: string, name: RevisionName): Promise<string> {
  if (typeof name === 'string') return `"${name}"`;
  const found = await run('getAppRevision', { params: { id, revision: `${name}` } }).catch(() => null);
  return found?.etag ?? `"${name}"`;
}

/** What a decision is about: how the content differs from what was approved, or all of it if nothing was. */
function summary(app: OperatorApp): string {
  const approved = approvedContent(app);
  const title = `${quoted(app.name)} (${app.id}) of ${app.developerId}, ${app.reviewStatus}, revision ${app.revision}`;
  const changes = appContentFields.flatMap((field) => {
    const [before, after] = [approved && shownValue(approved, field), shownValue(app, field)];
    if (before === after) return [];
    return [`  ${field.label}`, ...(approved ? [`    - ${quoted(before)}`] : []), `    + ${quoted(after)}`];
  });
  if (!approved) return [title, '  never approved', ...changes].join('\n');
  const known = `approved at revision ${approved.revision}`;
  return [
    title,
    changes.length === 0 ? `  unchanged since it was ${known}` : `  ${known}, changed since`,
    ...changes,
  ].join('\n');
}

type ShownContent = Pick<OperatorApp, 'name' | 'logoId' | 'listingInfo' | 'oauthInfo'>;

function shownValue({ name, logoId, listingInfo, oauthInfo }: ShownContent, field: AppContentField) {
  return contentValue({ name, logoId, listingInfo, oauthInfo }, field);
}

/** On one line: no value can look like another line. */
function quoted(value: string | null | undefined): string {
  return value === undefined || value === null ? '(none)' : JSON.stringify(value);
}

/** The next line of standard input; undefined at its end. */
async function nextLine(): Promise<string | undefined> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin });
  const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
  return line;
}
