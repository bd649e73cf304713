import { escapeToOneLine } from '../../kernel/text.ts';
import { describeOnOneLine } from '../describe.ts';

/** The text of a value in a table, on one line. */
export function cellOf(item: unknown, column: string): string {
  const value = valueAt(item, column);
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return escapeToOneLine(value.join(', '));
  return escapeToOneLine(typeof value === 'object' ? describeOnOneLine(value) : String(value));
}

/** The columns that an item has: its values, those of nested objects by their path. */
export function columnsOf(item: unknown, path = ''): string[] {
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
