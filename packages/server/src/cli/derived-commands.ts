import { Command, Option } from 'commander';
import type Type from 'typebox';
import type { CommandDeclaration, Operation } from '../kernel/operation.ts';
import { changeOptions } from './change-options.ts';
import { clearable } from './clearable.ts';
import { dryRunOption } from './dry-run-option.ts';
import { operationAction } from './operation/operation-action.ts';
import type { AnyParts } from './operation/run-operation.ts';
import { choiceOption, example, wholeNumber } from './options.ts';
import { pageOptions } from './page-options.ts';

/** What an option needs to know of the JSON schema of its field. */
interface FieldSchema {
  type?: string | string[];
  enum?: string[];
}

/** A field of the query or the body that an option of the command gives. */
interface OptionField {
  name: string;
  schema: FieldSchema;
  isRequired: boolean;
  /** `<placeholder> description`, or for a flag the description alone. */
  text: string;
}

/** Runs an operation whose types are known only when it is declared. */
type RunAny = (id: string, parts: AnyParts) => Promise<object>;

/** Adds to a group the commands of these operations: of those that declare one. */
export function commandGroup(group: Command, operations: Record<string, Operation>): Command {
  for (const one of Object.values(operations)) {
    if (one.command) group.addCommand(derivedCommand(one, one.command));
  }
  return group;
}

/**
 * The command of an operation: an argument for each parameter of its path, and an option for each field of its query and
 * its body that its declaration describes.
 */
function derivedCommand(operation: Operation, declared: CommandDeclaration): Command {
  const { id, method, path, summary, query, body } = operation;
  const [, name = ''] = / (\S+)$/.exec(declared.name) ?? [];
  const command = new Command(name).description(declared.description ?? `${summary}.`);
  const params = [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
  for (const param of params) command.argument(`<${param}>`, declared.arguments?.[param]);

  const ofQuery = optionFields(query, declared);
  const ofBody = optionFields(body, declared);
  for (const field of [...ofQuery, ...ofBody]) addOption(command, field);
  if (query?.properties.cursor) pageOptions(command, declared.columns);
  if (query?.properties.dryRun) dryRunOption(command);
  if (method !== 'GET') changeOptions(command);

  return command.addHelpText('after', example(...declared.examples)).action(
    operationAction<Record<string, unknown>>((run, { args, options }) => {
      const { cursor, limit, dryRun } = options;
      const parts = {
        params: Object.fromEntries(params.map((param, at) => [param, args[at] ?? ''])),
        query: { cursor, limit, dryRun, ...valuesOf(ofQuery, options) },
        body: body && valuesOf(ofBody, options),
      };
      return (run as RunAny)(id, parts);
    }),
  );
}

function optionFields(schema: Type.TSchema | undefined, { options = {} }: CommandDeclaration): OptionField[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, FieldSchema>;
    required?: string[];
  };
  return Object.entries(properties).flatMap(([name, field]) => {
    const text = options[name];
    return text === undefined ? [] : [{ name, schema: field, isRequired: required.includes(name), text }];
  });
}

function addOption(command: Command, { name, schema, isRequired, text }: OptionField): void {
  const [, placeholder, description = text] = /^(<[^>]+>(?:\.\.\.)?) (.+)$/s.exec(text) ?? [];
  const flag = `--${kebabCase(name)}`;
  const flags = placeholder === undefined ? flag : `${flag} ${placeholder}`;
  const option = schema.enum ? choiceOption(flags, description, schema.enum) : new Option(flags, description);
  if (schema.type === 'integer') option.argParser(wholeNumber);
  command.addOption(option.makeOptionMandatory(isRequired));
  if (isNullable(schema))
    command.option(`--no-${kebabCase(name)}`, `remove the ${kebabCase(name).replaceAll('-', ' ')}`);
}

/** The values of the options, as the operation takes them. */
function valuesOf(fields: OptionField[], options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, schema }) => {
      const value = options[name];
      return [name, isNullable(schema) ? clearable(value as string | false | undefined) : value];
    }),
  );
}

function isNullable({ type }: FieldSchema): boolean {
  return Array.isArray(type) && type.includes('null');
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
