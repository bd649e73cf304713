// How the client calls an operation. Decision record 0001: an operation has one name in every layer.

/**
 * The group is what the operationId names after its verb, and the rest of the operationId is the method:
 * `rotateWebhookSecret` is `webhooks.rotateSecret`. One that names no group is a method of the client itself.
 */
export function methodName(
  operationId: string,
  groups: readonly string[],
): { group: string | undefined; name: string } {
  for (const group of groups) {
    const [name, verb, rest] = new RegExp(`^([a-z]+)${nounPattern(group)}(?![a-z])(.*)$`).exec(operationId) ?? [];
    if (name !== undefined) return { group, name: `${verb}${rest}` };
  }
  return { group: undefined, name: operationId };
}

/** The group in the plural or in the singular. */
function nounPattern(group: string): string {
  return `(?:${pascalCase(group)}|${pascalCase(singular(group))})`;
}

/** What a method calls a parameter of its path: the id of another object than that of the group says which it is. */
export function argumentName(name: string, path: string, group: string | undefined): string {
  const segments = path.split('/');
  const owner = camelCase(segments[segments.indexOf(`{${name}}`) - 1] ?? '');
  return name === 'id' && owner !== group ? `${singular(owner)}Id` : name;
}

/** What a method calls its body, the last word of its type: `update` for an `AppUpdate`. */
export function bodyName(type: string): string {
  return (/[A-Z][a-z]+$/.exec(type)?.[0] ?? type).toLowerCase();
}

/** Groups that are one thing each. */
const uncountable = ['settings', 'statistics'];

export function singular(words: string): string {
  return uncountable.includes(words) ? words : words.replace(/ies$/, 'y').replace(/s$/, '');
}

export function pascalCase(words: string): string {
  return words.replace(/^./, (letter) => letter.toUpperCase());
}

export function camelCase(words: string): string {
  return words.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
