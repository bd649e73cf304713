import { type Node, parseSync, visitorKeys } from 'oxc-parser';
import { edits, isFunction, type Kind, nameOf } from './kinds.ts';

/** Identifies a change by its code, so that it is recognised after other lines have moved. */
export interface MutationPlace {
  /** The path below `packages/server/src`. */
  file: string;
  /** The enclosing functions and declarations, such as `createApp.work`; empty at the top of a module. */
  function: string;
  kind: Kind;
  original: string;
  replacement: string;
  /** Counts the places of one function where the same change is possible, from 0. */
  occurrence: number;
}

/** A change of one place of a source file. */
export interface Mutation {
  place: MutationPlace;
  /** Offsets of the original in the text, and the line it starts on. */
  start: number;
  end: number;
  line: number;
  /** The offset where the innermost enclosing function ends, as in coverage; undefined outside functions. */
  functionEnd: number | undefined;
}

/** Lists the mutations of a source file, those of an outer expression first. */
export function findMutations(file: string, text: string): Mutation[] {
  const found: Mutation[] = [];
  const counts = new Map<string, number>();
  const visit = (node: Node, ancestors: readonly Node[]): void => {
    for (const { kind, start, end, replacement } of edits({ node, ancestors, text, file })) {
      const place = { file, function: functionName(ancestors), kind, original: text.slice(start, end), replacement };
      const key = JSON.stringify(place);
      const occurrence = counts.get(key) ?? 0;
      counts.set(key, occurrence + 1);
      const line = text.slice(0, start).split('\n').length;
      const functionEnd = ancestors.findLast(isFunction)?.end;
      found.push({ place: { ...place, occurrence }, start, end, line, functionEnd });
    }
    const fields = node as unknown as Record<string, Node | (Node | null)[] | null>;
    const children = (visitorKeys[node.type] ?? []).flatMap((key) => fields[key] ?? []);
    for (const child of children) if (child) visit(child, [...ancestors, node]);
  };
  visit(parseSync(file, text).program, []);
  return found;
}

/** The text with the mutation, which might not parse. */
export function mutate(text: string, { start, end, place }: Mutation): string {
  return text.slice(0, start) + place.replacement + text.slice(end);
}

function functionName(ancestors: readonly Node[]): string {
  const outermost = ancestors.findIndex(isFunction);
  return ancestors
    .map((node, index) => declaredName(node, outermost >= 0 && index > outermost))
    .filter(Boolean)
    .join('.');
}

/** The name of a function, a class or a method; outside functions, also of a constant and of a property. */
function declaredName(node: Node, isInFunction: boolean): string {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id?.name ?? '';
  if (node.type === 'MethodDefinition') return nameOf(node.key);
  const isNamed = (value: Node | null) => !isInFunction || (value !== null && isFunction(value));
  if (node.type === 'VariableDeclarator' && isNamed(node.init)) return nameOf(node.id);
  return node.type === 'Property' && isNamed(node.value) ? nameOf(node.key) : '';
}
