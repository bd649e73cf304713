/**
 * Formats a result for people: one field per line, the fields of an object indented below it, the items of a list each
 * after a dash. A list of strings stays on one line.
 */
export function describe(result: object, indent = ''): string {
  if (Array.isArray(result)) return result.map((item) => describeItem(item, indent)).join('\n');
  const entries = Object.entries(result).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...entries.filter(([, value]) => !isGroup(value)).map(([name]) => name.length));
  return entries
    .map(([name, value]) =>
      isGroup(value)
        ? [`${indent}${name}:`, describe(value, `${indent}  `)].filter((line) => line !== '').join('\n')
        : `${indent}${name.padEnd(width)}  ${lines(value, indent + ' '.repeat(width + 2))}`,
    )
    .join('\n');
}

/** The same on one line: every value as JSON, after its path. */
export function describeOnOneLine(result: object): string {
  return valuesOf(result, '')
    .map(([path, value]) => `${path} ${JSON.stringify(value)}`)
    .join(', ');
}

function valuesOf(value: unknown, path: string): [path: string, value: unknown][] {
  if (!isGroup(value) || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, field]) => valuesOf(field, path === '' ? name : `${path}.${name}`));
}

function describeItem(item: unknown, indent: string): string {
  const inner = `${indent}  `;
  const text = isGroup(item) ? describe(item, inner).slice(inner.length) : lines(item, inner);
  return `${indent}- ${text}`;
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isWords(value);
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

function lines(value: unknown, indent: string): string {
  return (isWords(value) ? value.join(', ') : String(value)).replaceAll(/\r?\n/g, `\n${indent}`);
}
