import type { Command } from 'commander';
import { columnsOf } from './cells.ts';

/** Reports columns that the items of a list never have. An optional field may be absent from all that are listed. */
export async function requireColumns(command: Command, columns: readonly string[], items: object[]): Promise<void> {
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
