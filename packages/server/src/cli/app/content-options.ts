import type { Command } from 'commander';
import {
  type AppContentField,
  appContentFields,
  type ContentPath,
  contentUnderPaths,
  defaultOf,
  isOptional,
  type PartialContent,
} from '../../features/apps/app-content-fields.ts';

type NameIn<Path> = Path extends `${string}.${infer Name}` ? Name : Path;

/** What the options of the content give, as Commander names them; false stands for `--no-…`. */
export type ContentOptions = { [Path in ContentPath as NameIn<Path>]?: string | false };

/** Adds the options that create an app's content: a field without a default is required. */
export function addCreationOptions(command: Command): Command {
  for (const field of appContentFields) {
    const initial = defaultOf(field);
    const help = initial ? `${field.help} (default: ${initial})` : field.help;
    if (initial === undefined) command.requiredOption(flagsOf(field), help);
    else command.option(flagsOf(field), help);
  }
  return command;
}

/** Adds the options that update an app's content, and `--no-…` for each field that can be cleared. */
export function addUpdateOptions(command: Command): Command {
  for (const field of appContentFields) {
    command.option(flagsOf(field), field.help);
    if (isOptional(field)) command.option(`--no-${optionOf(field)}`, `clear the value of --${optionOf(field)}`);
  }
  return command;
}

/** The content of a new app. */
export function createdContent(options: ContentOptions): PartialContent {
  return contentUnderPaths((field) => textOf(options, field));
}

/** The content of an update: `--no-…` and an empty text both clear an optional field. */
export function updatedContent(options: ContentOptions): PartialContent {
  return contentUnderPaths((field) => {
    const text = textOf(options, field);
    const isCleared = isOptional(field) && (text === '' || options[nameIn(field)] === false);
    return isCleared ? null : text;
  });
}

function textOf(options: ContentOptions, field: AppContentField): string | undefined {
  const value = options[nameIn(field)];
  return value === false ? undefined : value;
}

/** Commander names an option as the interface names the field: both are the column's words in camel case. */
function nameIn({ path }: AppContentField): keyof ContentOptions {
  return (path.split('.').at(-1) ?? path) as keyof ContentOptions;
}

function flagsOf(field: AppContentField): string {
  return `--${optionOf(field)} <${optionOf(field).split('-').at(-1)}>`;
}

function optionOf({ column }: AppContentField): string {
  return column.replaceAll('_', '-');
}
