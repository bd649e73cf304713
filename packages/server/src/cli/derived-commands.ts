import { Command, Option } from 'commander';
import type Type from 'typebox';
import type { AnyOperation, CommandDeclaration } from '../kernel/operation.ts';
import type { RevisionName } from '../kernel/revision.ts';
import {
  changeOptions,
  choiceOption,
  durationUpTo,
  example,
  fieldMessages,
  ifMatchOption,
  listOptions,
  pageOptions,
  revisionName,
  totalOptions,
  utcTime,
  wholeNumber,
} from './command-options.ts';
import { operationAction } from './operation-action.ts';
import type { AnyParts, RunOperation } from './run-operation.ts';

/** What an option needs to know of the JSON schema of its field. */
interface FieldSchema {
  type?: string | string[];
  enum?: string[];
  default?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, FieldSchema>;
  required?: string[];
  items?: FieldSchema;
}

/** A field of the query or the body, or a parameter of the path, that an option of the command gives. */
interface OptionField {
  /** Its path in the query or the body. */
  name: string;
  of: 'params' | 'query' | 'body';
  schema: FieldSchema;
  isRequired: boolean;
  option: Option;
  /** The option for false or null. */
  negation: Option | undefined;
}

/** How a command differs from what its operation declares. */
interface Variation {
  /** Options for `read`, after those of the fields. */
  options?: Option[];
  /** Runs other operations, or this one in a way of its own. */
  read?: (run: RunOperation, parts: AnyParts, options: Record<string, unknown>) => Promise<object> | undefined;
  /** Rephrases what `read` returns for people. */
  readable?: (result: object) => object;
}

/** Runs an operation whose types are known only when it is declared. */
type RunAny = (operation: AnyOperation, parts: AnyParts) => Promise<object>;

/** Adds commands to a group in this order: hand-written ones, and those that operations declare. */
export function commandGroup(group: Command, operations: Record<string, AnyOperation | Command>): Command {
  for (const one of Object.values(operations)) {
    group.addCommand(one instanceof Command ? one : derivedCommand(one));
  }
  return group;
}

/**
 * The command of an operation: an argument for each parameter of its path, and an option for each field of its query and
 * its body that its declaration describes.
 */
export function derivedCommand(
  operation: AnyOperation,
  { options: others = [], read, readable }: Variation = {},
): Command {
  const declared = declarationOf(operation);
  const { method, summary, ifMatch } = operation;
  const command = new Command(declared.name.split(' ').at(-1)).description(declared.description ?? `${summary}.`);
  for (const name of argumentsOf(operation)) {
    const [, placeholder = name, text] = /^(?:<(\S+)> )?(.*)$/.exec(declared.arguments?.[name] ?? '') ?? [];
    command.argument(`<${placeholder}>`, text);
  }

  const fields = fieldsOf(operation);
  for (const name of Object.keys(declared.options ?? {})) {
    for (const { option, negation } of fields.filter((field) => field.name === name)) {
      command.addOption(option);
      if (negation) command.addOption(negation);
    }
  }
  for (const option of others) command.addOption(option);
  const { cursor, since, until, sort, withTotal, dryRun } = listFields(operation);
  if (since)
    command.option('--since <time>', 'only items of this UTC time or later, by the time they are sorted by', utcTime);
  if (until)
    command.option('--until <time>', 'only items from before this UTC time, by the time they are sorted by', utcTime);
  if (sort) command.addOption(sortOption(sort));
  if (withTotal) totalOptions(command, declared.columns ?? []);
  else if (cursor) pageOptions(command, declared.columns);
  else if (declared.columns) listOptions(command, declared.columns);
  if (dryRun) command.option('--dry-run', 'show what would be affected without changing anything');
  if (ifMatch) ifMatchOption(command, operation);
  if (method !== 'GET' && declared.recordsEvent !== false) changeOptions(command, declared.reasonGives);
  requireReason(command, declared);

  const notes = [declared.confirms && confirmationNotes, declared.notes].filter((text) => text !== undefined);
  return command
    .addHelpText('after', notes.map((text) => `\n${text}\n`).join('') + example(...(declared.examples ?? [])))
    .action(
      operationAction<Record<string, unknown>>(async (run, invocation) => {
        const { args, options } = invocation;
        const parts = await partsOf(operation, { args, options, fields });
        if (declared.confirms) {
          const { confirmRevision } = await import('./confirm-revision.ts');
          Object.assign(parts.body as object, { revision: await confirmRevision(run, invocation, declared.confirms) });
        }
        return read?.(run, parts, options) ?? (run as unknown as RunAny)(operation, parts);
      }, readable ?? declared.readable),
    );
}

const confirmationNotes = `Without --revision, on a terminal, the command shows how the current revision differs from the approved one and prompts
for confirmation. Scripts must name the reviewed revision with --revision.`;

function declarationOf({ id, command }: AnyOperation): CommandDeclaration {
  return command ?? { name: id };
}

function paramsOf({ path }: AnyOperation): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** The parameters of the path and the fields that arguments give. */
function argumentsOf(operation: AnyOperation): string[] {
  const { arguments: texts = {}, options = {} } = declarationOf(operation);
  const params = paramsOf(operation).filter((name) => !options[name]);
  return [...new Set([...params, ...Object.keys(texts)])];
}

/** The fields of a list and of a dry run, whose options are those of every command. */
function listFields(operation: AnyOperation): Record<string, FieldSchema> {
  const { options = {} } = declarationOf(operation);
  const properties: Record<string, FieldSchema> = operation.query?.properties ?? {};
  const names = ['cursor', 'limit', 'since', 'until', 'sort', 'withTotal', 'dryRun'];
  return Object.fromEntries(
    names.flatMap((name) => (properties[name] && !options[name] ? [[name, properties[name]]] : [])),
  );
}

/** The fields that options of their own give. */
function fieldsOf(operation: AnyOperation): OptionField[] {
  const declared = declarationOf(operation);
  const param = Object.fromEntries(paramsOf(operation).map((name) => [name, { type: 'string' }]));
  const sources = [
    { of: 'params', schema: { properties: param, required: Object.keys(param) } },
    { of: 'query', schema: operation.query },
    { of: 'body', schema: operation.body ?? operation.form?.parts },
  ] as const;
  return Object.entries(declared.options ?? {}).flatMap(([name, text]) =>
    sources.flatMap(({ of, schema: whole }) => {
      const found = whole && fieldAt(whole as FieldSchema, name);
      if (!found) return [];
      const { schema, isRequired } = found;
      const { flags, description } = flagsIn(text, `--${kebabCase(name)}`);
      const option = optionOf({ flags, description, schema, convert: declared.converts?.[name] });
      option
        .conflicts([declared.conflicts?.[name] ?? []].flat())
        .makeOptionMandatory(
          isRequired && name !== declared.reasonGives && !(name === 'revision' && declared.confirms),
        );
      const negation = negationOf(`${option.long}`.slice(2), schema, declared.negations?.[name]);
      return [{ name, of, schema, isRequired, option, negation }];
    }),
  );
}

function fieldAt(schema: FieldSchema, path: string): Pick<OptionField, 'schema' | 'isRequired'> | undefined {
  const [name = '', ...rest] = path.split('.');
  const field = schema.properties?.[name];
  if (!field) return undefined;
  return rest.length > 0
    ? fieldAt(field, rest.join('.'))
    : { schema: field, isRequired: schema.required?.includes(name) ?? false };
}

/** `--developer <id> description`, `<id> description`, or for a flag the description alone. */
function flagsIn(text: string, flag: string): { flags: string; description: string } {
  const [, own = flag, placeholder, description = ''] = /^(--[\w-]+)? ?(<[^>]+>)? ?(.+)$/s.exec(text) ?? [];
  return { flags: placeholder === undefined ? own : `${own} ${placeholder}`, description };
}

interface OptionText {
  flags: string;
  description: string;
  schema: FieldSchema;
  convert: 'duration' | 'time' | 'revision' | undefined;
}

function optionOf({ flags, description, schema, convert }: OptionText): Option {
  const values = schema.enum ?? schema.items?.enum;
  if (values) return choiceOption(flags, description, values);
  const option = new Option(flags, description);
  if (schema.items?.properties) return option.argParser(fieldMessages);
  if (convert === 'duration') {
    return option.argParser(durationUpTo(schema.maximum ?? Number.POSITIVE_INFINITY, schema.minimum));
  }
  if (convert === 'time') return option.argParser(utcTime);
  if (convert === 'revision') return option.argParser(revisionName);
  return hasType(schema, 'integer') ? option.argParser(wholeNumber) : option;
}

function negationOf(name: string, schema: FieldSchema, text: string | undefined): Option | undefined {
  if (text === undefined && !hasType(schema, 'null')) return undefined;
  const { flags, description } = flagsIn(text ?? `remove the ${name.replaceAll('-', ' ')}`, `--no-${name}`);
  return new Option(flags, description);
}

function sortOption({ enum: orders = [], default: byDefault }: FieldSchema): Option {
  const ofMany = orders.length > 1 ? '; a leading minus sign reverses it' : '';
  const text = `the sort order${ofMany}${byDefault === undefined ? '' : ` (default: ${byDefault})`}`;
  return new Option('--sort <order>', text).choices(orders);
}

/** Reports that neither the option of a field is given nor the reason that gives it. */
function requireReason(command: Command, { reasonGives: name }: CommandDeclaration): void {
  if (name === undefined) return;
  command.hook('preAction', () => {
    const options = command.opts();
    if (options[name] === undefined && options.reason === undefined) command.error(`error: give --${name} or --reason`);
  });
}

interface Given {
  args: string[];
  options: Record<string, unknown>;
  fields: OptionField[];
}

/** What arguments and options give an operation. */
async function partsOf(operation: AnyOperation, { args, options, fields }: Given): Promise<AnyParts> {
  const { query, body, form, ifMatch } = operation;
  const { reasonGives } = declarationOf(operation);
  const values = { params: {}, query: {}, body: {} };
  for (const [index, name] of argumentsOf(operation).entries()) {
    const of = paramsOf(operation).includes(name) ? 'params' : query?.properties[name] ? 'query' : 'body';
    put(values[of], name, form?.file.name === name ? await fileOf(args[index], form.file.bytesMax) : args[index]);
  }
  for (const name of Object.keys(listFields(operation))) put(values.query, name, options[name]);
  for (const field of fields) {
    put(values[field.of], field.name, givenValue(field, options));
  }
  if (reasonGives !== undefined && options[reasonGives] === undefined) put(values.body, reasonGives, options.reason);
  // The event has it either way, but a server takes it in the body only.
  if ((body as Type.TObject | undefined)?.properties?.reason) put(values.body, 'reason', options.reason);
  return {
    ...values,
    body: body || form ? values.body : undefined,
    ifRevision: ifMatch ? (options.ifMatch as RevisionName) : undefined,
  };
}

async function fileOf(name = '', bytesMax: number): Promise<Uint8Array> {
  const { readInput } = await import('./command-files.ts');
  return readInput(name, bytesMax);
}

/** Null, to clear a field, is given by its negation and by an empty text. */
function givenValue({ schema, option, negation }: OptionField, options: Record<string, unknown>): unknown {
  const value = options[option.attributeName()];
  if (!hasType(schema, 'null')) return value;
  const isCleared = negation && !negation.negate && options[negation.attributeName()];
  return isCleared || value === false || value === '' ? null : value;
}

/** Puts a value under its path. One that was not given (undefined) is left out, and so is an object without any. */
function put(into: Record<string, unknown>, path: string, value: unknown): void {
  if (value === undefined) return;
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) into[name] = value;
  else {
    into[name] ??= {};
    put(into[name] as Record<string, unknown>, rest.join('.'), value);
  }
}

function hasType({ type }: FieldSchema, name: string): boolean {
  return [type].flat().includes(name);
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
