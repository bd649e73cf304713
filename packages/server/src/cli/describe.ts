/**
 * A result as lines for a person: one member a line, the members of an object indented below it, the items of
 * a list each after a dash.
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

function describeItem(item: unknown, indent: string): string {
  const inner = `${indent}  `;
  const text = isGroup(item) ? describe(item, inner).slice(inner.length) : lines(item, inner);
  return `${indent}- ${text}`;
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function lines(value: unknown, indent: string): string {
  return String(value).replaceAll(/\r?\n/g, `\n${indent}`);
}
