import type { Node } from 'oxc-parser';
import { problemStatuses } from '../../packages/server/src/http/problem/problem.ts';
import { problemTitles, validationErrorCodes } from '../../packages/server/src/kernel/problem-details.ts';

/** A node of a source file, with the nodes around it from the outermost to its parent. */
interface Place {
  node: Node;
  ancestors: readonly Node[];
  text: string;
  file: string;
}

/** What stands in place of the text between two offsets. */
interface Edit {
  start: number;
  end: number;
  replacement: string;
}

/** For each kind, the changes that apply to a node itself, not to the nodes inside it. */
const editsOfKind = {
  'removed condition': removeCondition,
  'swapped comparison': swapComparison,
  'dropped where': dropWhere,
  'skipped await': skipAwait,
  'wrong code': replaceCode,
  'missing event': removeEvent,
  'missing authorisation': weakenAuthorisation,
} satisfies Record<string, (place: Place) => Edit[]>;

export type Kind = keyof typeof editsOfKind;
export const kinds = Object.keys(editsOfKind) as Kind[];

export function edits(place: Place): (Edit & { kind: Kind })[] {
  return kinds.flatMap((kind) => editsOfKind[kind](place).map((edit) => ({ ...edit, kind })));
}

/** A condition is never true, one operand decides alone, or a check that throws is gone. */
function removeCondition({ node, text }: Place): Edit[] {
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') return [replace(node.test, 'false')];
  if (node.type === 'LogicalExpression' && node.operator !== '??') {
    return [node.left, node.right].map((operand) => replace(node, sourceOf(operand, text)));
  }
  const check = calledName(node);
  return /^(require|refuse|throwIf)/.test(check) && !authorisationCheck.test(check) ? [replace(node, ';')] : [];
}

const swapped: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' };

function swapComparison({ node, text }: Place): Edit[] {
  if (node.type !== 'BinaryExpression') return [];
  const { left, operator, right } = node;
  const other = swapped[operator];
  return other ? [replace(node, `${sourceOf(left, text)} ${other} ${sourceOf(right, text)}`)] : [];
}

function dropWhere({ node }: Place): Edit[] {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return [];
  const isWhere = ['where', 'whereRef'].includes(nameOf(node.callee));
  return isWhere ? [{ start: node.callee.object.end, end: node.end, replacement: '' }] : [];
}

/** Only where the code still runs without it: it no longer waits, or takes the promise for a value. */
function skipAwait({ node, ancestors, text }: Place): Edit[] {
  if (node.type !== 'AwaitExpression') return [];
  const parent = ancestors.at(-1)?.type ?? '';
  const ignoresValue = ['ExpressionStatement', 'IfStatement', 'UnaryExpression', 'LogicalExpression'].includes(parent);
  const outer = ancestors.findLast((outer) => isFunction(outer) || outer.type === 'TryStatement');
  const isCaught = parent === 'ReturnStatement' && outer?.type === 'TryStatement';
  return ignoresValue || isCaught ? [replace(node, sourceOf(node.argument, text))] : [];
}

const problemCodes = Object.keys(problemTitles);
const validationCodes: readonly string[] = validationErrorCodes;
const statuses = [...new Set([200, 201, 204, 304, ...Object.values(problemStatuses)])];

/** The next code of the same list, but not in types and in lists of what an operation documents. */
function replaceCode({ node, ancestors, file }: Place): Edit[] {
  const parent = ancestors.at(-1);
  if (node.type !== 'Literal' || !parent || file === 'kernel/problem-details.ts') return [];
  const { value } = node;
  if (typeof value === 'number') return isStatus(parent) ? [replace(node, `${next(statuses, value)}`)] : [];
  // Codes of one word are left out, because other strings have the same words.
  if (typeof value !== 'string' || !value.includes('_') || /^TS|^ArrayExpression$/.test(parent.type)) return [];
  const list = [problemCodes, validationCodes].find((codes) => codes.includes(value));
  return list ? [replace(node, `'${next(list, value)}'`)] : [];
}

function isStatus(parent: Node): boolean {
  if (parent.type === 'CallExpression') return nameOf(parent.callee) === 'code';
  return parent.type === 'Property' && ['status', ...problemCodes].includes(nameOf(parent.key));
}

function next<Item>(list: readonly Item[], item: Item): Item {
  return list[(list.indexOf(item) + 1) % list.length] ?? item;
}

/** Nothing is recorded, or one event fewer than happened. */
function removeEvent({ node, ancestors }: Place): Edit[] {
  if (/^appendEvent/.test(calledName(node))) return [replace(node, ';')];
  if (node.type !== 'ArrayExpression') return [];
  const parent = ancestors.at(-1);
  const areChanges = parent?.type === 'Property' && nameOf(parent.key) === 'changes';
  return node.elements.flatMap((element) => {
    if (!element || element.type === 'SpreadElement') return [];
    const isAppended = element.type === 'CallExpression' && /^appendEvent/.test(nameOf(element.callee));
    return areChanges || isAppended || isEvent(element) ? [replace(element, '...[]')] : [];
  });
}

/** An object such as `{ type: 'app.deleted' }`. */
function isEvent(node: Node): boolean {
  if (node.type !== 'ObjectExpression') return false;
  return node.properties.some(
    (property) =>
      property.type === 'Property' &&
      nameOf(property.key) === 'type' &&
      property.value.type === 'Literal' &&
      /^\w+\.\w+$/.test(`${property.value.value}`),
  );
}

const authorisationCheck = /^(require(Access|Own|NotSuspended|Usable|Binding|Recipient)|admit|authorize|reauthorize)/;
const read = { portal: "'read'", review: "'read'", install: "'read'", admin: "'read'" };
const weakerValues: Record<string, Record<string, string>> = {
  scope: read,
  notScope: { portal: 'undefined' },
  kind: { developer: "'platform'", platform: "'developer'" },
};

/** An operation accepts a lower scope or the other kind of token, or a check of the caller is gone. */
function weakenAuthorisation({ node, ancestors, file }: Place): Edit[] {
  if (authorisationCheck.test(calledName(node))) return [replace(node, ';')];
  if (node.type !== 'Literal' || typeof node.value !== 'string') return [];
  const parent = ancestors.at(-1);
  const isDeclared = parent?.type === 'Property' && /^(features|http)\//.test(file);
  const isTested = parent?.type === 'CallExpression' && nameOf(parent.callee) === 'allows';
  const weaker = isTested ? read : isDeclared ? weakerValues[nameOf(parent.key)] : undefined;
  const value = Object.entries(weaker ?? {}).find(([strong]) => strong === node.value)?.[1];
  return value ? [replace(node, value)] : [];
}

export function isFunction({ type }: Node): boolean {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type);
}

/** The name of an identifier, or of the property that is accessed; empty for any other node. */
export function nameOf(node: Node): string {
  if (node.type === 'MemberExpression') return nameOf(node.property);
  return node.type === 'Identifier' || node.type === 'PrivateIdentifier' ? node.name : '';
}

/** The function that a statement calls, such as `requireAccess`; empty for any other node. */
function calledName(node: Node): string {
  if (node.type !== 'ExpressionStatement') return '';
  const call = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
  return call.type === 'CallExpression' ? nameOf(call.callee) : '';
}

function replace({ start, end }: Node, replacement: string): Edit {
  return { start, end, replacement };
}

/** Parentheses around a node are not part of it. */
function sourceOf({ start, end, type }: Node, text: string): string {
  const source = text.slice(start, end);
  return /^(Logical|Conditional|Assignment|ArrowFunction|TSAs)/.test(type) ? `(${source})` : source;
}
