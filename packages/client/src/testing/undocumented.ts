import { type Node, parseSync, visitorKeys } from 'oxc-parser';

const parts = new Set(['MethodDefinition', 'PropertyDefinition', 'TSMethodSignature', 'TSPropertySignature']);

/**
 * The public declarations in a file of types, and their fields and methods, that have no doc comment. `inherited` are the
 * parts whose comment a class inherits: an editor shows it for what overrides them.
 */
export function undocumented(code: string, isPublic: (name: string) => boolean, inherited: string[] = []): string[] {
  const { program, comments } = parseSync('types.d.ts', code);
  const ends = new Set(comments.filter(({ value }) => value.startsWith('*')).map(({ end }) => end));
  const isBare = ({ start }: Node) => !ends.has(code.slice(0, start).trimEnd().length);
  return program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    const name = /\b(?:class|interface|type|function|const) (\w+)/.exec(
      declaration ? textOf(code, declaration) : '',
    )?.[1];
    // A type that is not exported is a part of one that is.
    if (!declaration || !name || (declaration !== statement && !isPublic(name))) return [];
    const isInherited = (part: Node) =>
      'superClass' in declaration && declaration.superClass && inherited.includes(keyOf(code, part));
    const bare = partsOf(declaration)
      .filter((part) => isBare(part) && !isInherited(part))
      .map((part) => `${name}: ${textOf(code, part)}`);
    return declaration !== statement && isBare(statement) ? [name, ...bare] : bare;
  });
}

/** Those of types in it too. Private ones cannot be seen. */
function partsOf(node: Node): Node[] {
  if (node.type === 'TSConditionalType') return [node.trueType, node.falseType].flatMap(partsOf);
  const inner = (visitorKeys[node.type] ?? []).flatMap((key) => [Reflect.get(node, key)].flat());
  const own = parts.has(node.type) && !isPrivate(node) ? [node] : [];
  return [...own, ...inner.flatMap((child: Node | null) => (child ? partsOf(child) : []))];
}

function isPrivate(part: Node): boolean {
  return 'key' in part && (part.key as Node).type === 'PrivateIdentifier';
}

function keyOf(code: string, part: Node): string {
  return 'key' in part ? textOf(code, part.key as Node) : '';
}

function textOf(code: string, { start, end }: Node): string {
  return code.slice(start, end).split('\n')[0] ?? '';
}
