import { Command, Option } from 'commander';
import type Type from 'typebox';
import type { AnyOperation, CommandDeclaration } from '../kernel/operation.ts';
import type { RevisionName } from '../kernel/revision.ts';
import { changeOptions } from './change-options.ts';
import { clearable } from './clearable.ts';
import { dryRunOption } from './dry-run-option.ts';
import { operationAction } from './operation/operation-action.ts';
import type { AnyParts } from './operation/run-operation.ts';
import { choiceOption, example, revisionName, wholeNumber } from './options.ts';
import { pageOptions, totalOptions } from './page-options.ts';

/** What an option needs to know of the JSON schema of its field. */
interface FieldSchema {
  type?: string | string[];
  enum?: string[];
  items?: FieldSchema;
}

/** A field of the query or the body that an option of the command gives. */
interface OptionField {
  name: string;
  schema: FieldSchema;
  isRequired: boolean;
  /** Such as `--developer <id>`. */
  flags: string;
  description: string;
  conflicts: string[];
}

/** Runs an operation whose types are known only when it is declared. */
type RunAny = (operation: AnyOperation, parts: AnyParts) => Promise<object>;

/** Adds commands to a group in this order: hand-written ones, and those that operations declare. */
export function commandGroup(group: Command, operations: Record<string, AnyOperation | Command>): Command {
  for (const one of Object.values(operations)) {
    if (one instanceof Command) group.addCommand(one);
    else if (one.command) group.addCommand(derivedCommand(one));
  }
  return group;
}

/** The commands of these operations: of those that declare one. */
export function derivedCommands(operations: Record<string, AnyOperation>): Command[] {
  return Object.values(operations).flatMap((one) => (one.command ? derivedCommand(one) : []));
}

/**
 * The command of an operation: an argument for each parameter of its path, and an option for each field of its query and
 * its body that its declaration describes.
 */
export function derivedCommand(operation: AnyOperation): Command {
  const declared = operation.command ?? { name: operation.id, examples: [] };
  const { method, path, summary, query, body } = operation;
  const [, name = ''] = /(\S+)$/.exec(declared.name) ?? [];
  const command = new Command(name).description(declared.description ?? `${summary}.`);
  const params = [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
  for (const param of params) {
    const [, placeholder = param, text] = /^(?:<(\S+)> )?(.*)$/.exec(declared.arguments?.[param] ?? '') ?? [];
    command.argument(`<${placeholder}>`, text);
  }

  const ofQuery = optionFields(query, declared);
  const ofBody = optionFields(body, declared);
  for (const field of [...ofQuery, ...ofBody]) {
    command.addOption(optionOf(field));
    if (isNullable(field.schema)) command.addOption(clearingOption(field));
  }
  // The event has it either way, but a server takes it in the body only.
  const takesReason = (body as Type.TObject | undefined)?.properties?.reason && !declared.options?.reason;
  const ofList = ['cursor', 'limit', 'sort', 'withTotal', 'dryRun'].filter((name) => query?.properties[name]);
  const { cursor, sort, withTotal, dryRun } = (query?.properties ?? {}) as Record<string, FieldSchema>;
  if (sort) command.addOption(sortOption(sort.enum ?? []));
  if (withTotal) totalOptions(command, declared.columns ?? []);
  else if (cursor) pageOptions(command, declared.columns);
  if (dryRun) dryRunOption(command);
  if (operation.ifMatch) {
    const text = declared.options?.revision ?? 'fails if the app has changed since';
    command.option('--revision <revision>', text, revisionName);
  }
  if (method !== 'GET' && declared.recordsEvent !== false) changeOptions(command);

  const notes = declared.notes === undefined ? '' : `\n${declared.notes}\n`;
  return command.addHelpText('after', notes + example(...declared.examples)).action(
    operationAction<Record<string, unknown>>((run, { args, options }) => {
      const parts = {
        params: Object.fromEntries(params.map((param, at) => [param, args[at] ?? ''])),
        query: given({
          ...Object.fromEntries(ofList.map((one) => [one, options[one]])),
          ...valuesOf(ofQuery, options),
        }),
        body: body && given({ ...valuesOf(ofBody, options), ...(takesReason && { reason: options.reason }) }),
        ifRevision: options.revision as RevisionName | undefined,
      };
      return (run as unknown as RunAny)(operation, parts);
    }),
  );
}

function optionFields(
  schema: Type.TSchema | undefined,
  { options = {}, conflicts = {} }: CommandDeclaration,
): OptionField[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, FieldSchema>;
    required?: string[];
  };
  return Object.entries(options).flatMap(([name, text]) => {
    const schema = properties[name];
    if (schema === undefined) return [];
    const field = { name, schema, isRequired: required.includes(name), conflicts: [conflicts[name] ?? []].flat() };
    return [{ ...field, ...flagsIn(text, name) }];
  });
}

/** `--developer <id> description`, `<id> description`, or for a flag the description alone. */
function flagsIn(text: string, name: string): Pick<OptionField, 'flags' | 'description'> {
  const [, flag = `--${kebabCase(name)}`, placeholder, description = ''] =
    /^(--[\w-]+)? ?(<[^>]+>)? ?(.+)$/s.exec(text) ?? [];
  return { flags: placeholder === undefined ? flag : `${flag} ${placeholder}`, description };
}

function optionOf({ schema, isRequired, flags, description, conflicts }: OptionField): Option {
  const option = schema.enum ? choiceOption(flags, description, schema.enum) : new Option(flags, description);
  if (schema.items?.enum) option.choices(schema.items.enum);
  if (schema.type === 'integer') option.argParser(wholeNumber);
  return option.conflicts(conflicts).makeOptionMandatory(isRequired);
}

/** For a field that null clears. */
function clearingOption({ flags }: OptionField): Option {
  const [, name = ''] = /^--([\w-]+)/.exec(flags) ?? [];
  return new Option(`--no-${name}`, `remove the ${name.replaceAll('-', ' ')}`);
}

function sortOption(orders: readonly string[]): Option {
  return new Option('--sort <order>', 'the sort order; a leading minus sign reverses it').choices(orders);
}

/** The values of the options, as the operation takes them. */
function valuesOf(fields: OptionField[], options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, schema, flags }) => {
      const value = options[new Option(flags).attributeName()];
      return [name, isNullable(schema) ? clearable(value as string | false | undefined) : value];
    }),
  );
}

/** Without the options that were not given. */
function given(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function isNullable({ type }: FieldSchema): boolean {
  return Array.isArray(type) && type.includes('null');
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
