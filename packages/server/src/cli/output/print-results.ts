import type { Command } from 'commander';
import { pageLimits } from '../../kernel/page.ts';
import { escapeToOneLine } from '../../kernel/text.ts';
import { writeOutput } from '../command-files.ts';
import type { ListOptions, PageOptions } from '../command-options.ts';
import { describe, describeOnOneLine } from './describe-result.ts';
import { Table } from './text-table.ts';

/** A page of a list. */
interface ListPage {
  items: object[];
  nextCursor?: string;
  prevCursor?: string;
}

/** Reads what a command prints: with these options in place of its own. */
type Read = (page: PageOptions) => Promise<object>;

type Readable = ((result: object) => object) | undefined;

/**
 * Prints what a command returns: as one JSON document with `--json`, a list as a table, and anything else as lines, which
 * `readable` may rephrase. With `--all` it reads a list page by page, and holds one page in memory.
 */
export async function printResults(command: Command, read: Read, readable?: Readable): Promise<void> {
  const options = command.optsWithGlobals<ListOptions & { json?: true }>();
  if (options.json && hasOwnColumns(command)) {
    command.error('error: --columns cannot be used with --json; select the fields from the JSON output');
  }
  const pages = options.all ? allPages(read, options.cursor) : onePage(await read({}));
  await (options.json ? printJson(command, pages) : printReadable(command, pages, readable));
}

async function* onePage(result: object): AsyncGenerator<object> {
  yield result;
}

/** The pages, each without a cursor: nothing is left to read. */
async function* allPages(read: Read, from: string | undefined): AsyncGenerator<object> {
  for (let cursor = from; ; ) {
    const page = await read({ limit: pageLimits.max, ...(cursor !== undefined && { cursor }) });
    if (!isListPage(page)) return yield page;
    const { nextCursor, prevCursor: _, ...rest } = page;
    yield rest;
    if (nextCursor === undefined) return;
    cursor = nextCursor;
  }
}

/** The items of all pages, and what the last page has beside them. */
async function printJson(command: Command, pages: AsyncGenerator<object>): Promise<void> {
  let begun = false;
  let beside = '';
  await writeOutput(command, async (write) => {
    for await (const page of pages) {
      if (!isListPage(page)) return write(`${JSON.stringify(page)}\n`);
      const { items, ...rest } = page;
      const texts = items.map((item) => JSON.stringify(item)).join(',');
      await write(`${begun ? separator(texts) : '{"items":['}${texts}`);
      begun = true;
      beside = JSON.stringify(rest).slice(1, -1);
    }
    await write(`]${separator(beside)}${beside}}\n`);
  });
}

function separator(next: string): string {
  return next === '' ? '' : ',';
}

async function printReadable(command: Command, pages: AsyncGenerator<object>, readable: Readable): Promise<void> {
  let table: PagesTable | undefined;
  await writeOutput(command, async (write) => {
    for await (const result of pages) {
      const page = readable?.(result) ?? result;
      if (!isListPage(page)) return write(`${describe(page)}\n`);
      table ??= new PagesTable(command, await columnsFor(command, page.items));
      await write(table.lines(page));
    }
    if (table) await write(table.end());
  });
  if (table) command.configureOutput().writeErr?.(table.footer());
}

/** The pages of a list as one table. */
class PagesTable {
  readonly #columns: string[];
  readonly #table: Table;
  readonly #command: Command;
  #count = 0;
  #last: Partial<ListPage> = {};

  constructor(command: Command, columns: string[]) {
    this.#command = command;
    this.#columns = columns;
    this.#table = new Table(columns, {
      terminalWidth: command.configureOutput().getOutHelpWidth?.(),
      isOptional: !hasOwnColumns(command),
    });
  }

  lines(page: ListPage): string {
    const { items } = page;
    this.#count += items.length;
    this.#last = page;
    if (items.length === 0) return '';
    const rows = items.map((item) => this.#columns.map((column) => cellOf(item, column)));
    return joined(this.#table.lines(rows));
  }

  /** What the last page has beside its items. */
  end(): string {
    const { items: _, nextCursor: __, prevCursor: ___, ...beside } = this.#last;
    return Object.keys(beside).length === 0 ? '' : `${this.#count > 0 ? '\n' : ''}${describe(beside)}\n`;
  }

  /** How to go on. Apart from the result: it is for people. */
  footer(): string {
    const { nextCursor } = this.#last;
    const found = this.#count === 0 ? 'Nothing found. ' : '';
    if (nextCursor === undefined) return found && `${found.trim()}\n`;
    const all = this.#takes('--all') ? ', or --all to list everything' : '';
    return `${found}To continue, add --cursor ${nextCursor}${all}.\n`;
  }

  #takes(flag: string): boolean {
    return this.#command.options.some(({ long }) => long === flag);
  }
}

/** Those that the command line names, those of the command, or else those of the first item. */
async function columnsFor(command: Command, items: object[]): Promise<string[]> {
  const { columns } = command.optsWithGlobals<ListOptions>();
  if (!columns) return columnsOf(items[0]).filter((name) => !name.includes('.'));
  if (hasOwnColumns(command)) await requireColumns(command, columns, items);
  return columns;
}

function hasOwnColumns(command: Command): boolean {
  return command.getOptionValueSourceWithGlobals('columns') === 'cli';
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function isListPage(result: object): result is ListPage {
  return 'items' in result && Array.isArray(result.items);
}

/** Reports columns that the items of a list never have. An optional field may be absent from all that are listed. */
async function requireColumns(command: Command, columns: readonly string[], items: object[]): Promise<void> {
  const found = new Set(items.flatMap((item) => columnsOf(item)));
  const declared = await declaredColumns(command);
  const unknown = columns.filter((column) => !isAmong(column, [...found, ...declared]));
  if (unknown.length === 0) return;
  const known = found.size > 0 ? [...found] : declared;
  command.error(`error: unknown column ${unknown.join(', ')}; the columns are ${known.join(', ')}`);
}

/** Whether a column is one of these, or an object that has some of them. */
function isAmong(column: string, columns: readonly string[]): boolean {
  return columns.some((name) => name === column || name.startsWith(`${column}.`));
}

/** What the operations of a command declare. */
export async function declaredColumns(command: Command): Promise<string[]> {
  const { operationsOf } = await import('./operations-of-command.ts');
  const responses: Schema[] = operationsOf(command).map(({ response }) => response);
  return [...new Set(responses.flatMap((response) => columnsIn(response.properties?.items?.items)))];
}

/** The parts of a JSON schema that say which fields there are. */
interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

function columnsIn(schema: Schema | undefined, path = ''): string[] {
  if (schema?.properties) {
    return Object.entries(schema.properties).flatMap(([name, field]) =>
      columnsIn(field, path === '' ? name : `${path}.${name}`),
    );
  }
  const objects = schema?.anyOf?.filter(({ properties }) => properties) ?? [];
  return objects.length > 0 ? objects.flatMap((one) => columnsIn(one, path)) : [path];
}

/** The text of a value in a table, on one line. */
function cellOf(item: unknown, column: string): string {
  const value = valueAt(item, column);
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return escapeToOneLine(value.join(', '));
  return escapeToOneLine(typeof value === 'object' ? describeOnOneLine(value) : String(value));
}

/** The columns that an item has: its values, those of nested objects by their path. */
function columnsOf(item: unknown, path = ''): string[] {
  return Object.entries(item ?? {}).flatMap(([name, value]) => {
    const column = path === '' ? name : `${path}.${name}`;
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isNested ? columnsOf(value, column) : [column];
  });
}

function valueAt(item: unknown, column: string): unknown {
  return column.split('.').reduce<unknown>((value, name) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isObject ? (value as Record<string, unknown>)[name] : undefined;
  }, item);
}
