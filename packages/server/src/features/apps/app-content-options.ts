import { type AppContentField, appContentFields, defaultOf, isOptional } from './app-content.ts';

/** The options of commands that create or update an app's content, by the paths of its fields. */
export function contentOptions({ withDefaults = false } = {}): Record<string, string> {
  return Object.fromEntries(
    appContentFields.map((field) => {
      const flag = flagOf(field);
      const initial = withDefaults && defaultOf(field);
      const help = initial ? `${field.help} (default: ${initial})` : field.help;
      return [field.path, `--${flag} <${flag.split('-').at(-1)}> ${help}`];
    }),
  );
}

/** The options that clear a field. */
export const contentNegations: Record<string, string> = Object.fromEntries(
  appContentFields.filter(isOptional).map((field) => [field.path, `clear the value of --${flagOf(field)}`]),
);

function flagOf({ column }: AppContentField): string {
  return column.replaceAll('_', '-');
}
