import { compile } from 'css-select';
import {
  type CssNode,
  type Declaration as DeclarationNode,
  generate,
  lexer,
  parse,
  type Selector,
} from 'css-tree/dist/csstree.esm';
import type { Element } from 'domhandler';
import { elementsOf, textIn, UnsupportedSvg } from './svg-document.ts';

/** A declaration, with its property in lower case unless it is a custom one. */
export interface Declaration {
  property: string;
  value: string;
}

interface StyleRule {
  matches(element: Element): boolean;
  /** As one number that compares. */
  specificity: number;
  declarations: ImportantDeclaration[];
}

interface ImportantDeclaration extends Declaration {
  isImportant: boolean;
}

export const comment = /\/\*.*?(\*\/|$)/gs;

/** The rules of the style sheets of an SVG, in their order. Throws `UnsupportedSvg`. */
export function readStyleSheets(root: Element): StyleRule[] {
  const sheets = [...elementsOf(root)].filter(({ name, attribs }) => {
    const { type = 'text/css', media = 'all' } = attribs;
    return name === 'style' && /^(text\/css)?\s*$/i.test(type) && isMediaMatch(media || 'all');
  });
  return sheets.flatMap((sheet) =>
    rulesIn(
      textIn(sheet)
        .replaceAll(comment, ' ')
        .replace(/<!--|-->/g, ''),
      null,
    ),
  );
}

/** The declarations for an element from its attributes that are given, from rules and from its style: later ones win. */
export function declarationsFor(element: Element, rules: StyleRule[], attributes: Declaration[]): Declaration[] {
  const matched = rules
    .filter((rule) => rule.matches(element))
    .toSorted((one, other) => one.specificity - other.specificity)
    .flatMap(({ declarations }) => declarations);
  const own = declarationsIn((element.attribs.style ?? '').replaceAll(comment, ' '));
  const all = [...matched, ...own];
  return [
    ...attributes,
    ...all.filter(({ isImportant }) => !isImportant),
    ...all.filter(({ isImportant }) => isImportant),
  ];
}

/** Whether browsers accept a value for a property. One that this program does not know is taken for valid. */
export function isValid({ property, value }: Declaration): boolean {
  const { error } = lexer.matchProperty(property, value);
  return error === null || error.name !== 'SyntaxMatchError';
}

const ignoredAtRules =
  /^@(charset|import|namespace|page|font-face|font-feature-values|counter-style|(-\w+-)?keyframes)\b/i;

/** The rules in a style sheet or, with the selectors of its parent, in a block: it may have declarations and nested rules. */
function rulesIn(text: string, parent: string | null): StyleRule[] {
  return partsOf(text).flatMap(({ prelude, block }): StyleRule[] => {
    if (block === null) return parent === null ? [] : styleRule(parent, declarationsIn(prelude));
    if (!prelude.startsWith('@')) return rulesIn(block, nestedSelectors(prelude, parent));
    if (ignoredAtRules.test(prelude)) return [];
    const [, name = '', condition = ''] = /^@([\w-]+)(.*)$/s.exec(prelude) ?? [];
    const isMatch = { media: isMediaMatch, supports: isSupported }[name.toLowerCase()];
    if (!isMatch) throw new UnsupportedSvg(`the rule @${name} in its style sheet`);
    return isMatch(condition) ? rulesIn(block, parent) : [];
  });
}

/** A nested selector is relative to that of its parent. */
function nestedSelectors(selectors: string, parent: string | null): string {
  if (parent === null) return selectors;
  const nesting = `:is(${parent})`;
  const whole = splitOutside(selectors, ',').map((selector) =>
    selector.includes('&') ? selector.replaceAll('&', nesting) : `${nesting} ${selector}`,
  );
  return whole.join(',');
}

/** The rules of a block, and the declarations between them. The parser knows nested rules only after an ampersand. */
function partsOf(text: string): { prelude: string; block: string | null }[] {
  const parts: { prelude: string; block: string | null }[] = [];
  let [start, opened, depth, quote] = [0, 0, 0, ''];
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\\') at += 1;
    else if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '{' && depth++ === 0) opened = at;
    const isEnd = sign === '' || (sign === '}' && --depth <= 0) || (sign === ';' && depth === 0);
    if (!isEnd || (quote !== '' && sign !== '')) continue;
    const isBlock = opened > start || text[start] === '{';
    const prelude = text.slice(start, isBlock ? opened : at).trim();
    if (prelude !== '') parts.push({ prelude, block: isBlock ? text.slice(opened + 1, at) : null });
    [start, opened, depth] = [at + 1, 0, 0];
  }
  return parts;
}

function styleRule(selectors: string, declarations: ImportantDeclaration[]): StyleRule[] {
  const list = selectorList(selectors);
  // One invalid selector makes the whole list invalid.
  if (list?.type !== 'SelectorList') return [];
  return [...list.children].flatMap((selector): StyleRule[] => {
    if (selector.type !== 'Selector') return [];
    const text = generate(selector);
    // It styles no element.
    if (text.includes('::')) return [];
    return [{ matches: matcher(text), specificity: specificityOf(selector), declarations }];
  });
}

function selectorList(text: string): CssNode | null {
  try {
    return parse(text, { context: 'selectorList' });
  } catch {
    return null;
  }
}

const never = () => false;
/** A logo is drawn without a pointer or a focus. */
const pseudos = { hover: never, focus: never, active: never, visited: never, target: never, 'focus-within': never };

function matcher(selector: string): (element: Element) => boolean {
  try {
    return compile<Element, Element>(selector, { xmlMode: true, pseudos: { ...pseudos, 'focus-visible': never } });
  } catch {
    throw new UnsupportedSvg(`the selector ${selector} in its style sheet`);
  }
}

function specificityOf(selector: Selector): number {
  return [...selector.children].reduce((sum, part) => sum + specificityOfPart(part), 0);
}

function specificityOfPart(part: CssNode): number {
  if (part.type === 'IdSelector') return 1_000_000;
  if (part.type === 'ClassSelector' || part.type === 'AttributeSelector') return 1_000;
  if (part.type === 'TypeSelector') return part.name === '*' ? 0 : 1;
  if (part.type !== 'PseudoClassSelector') return 0;
  const inside = [...(part.children ?? [])].flatMap((list) => (list.type === 'SelectorList' ? [...list.children] : []));
  const most = Math.max(0, ...inside.map((one) => (one.type === 'Selector' ? specificityOf(one) : 0)));
  if (part.name === 'where') return 0;
  return /^(is|not|has|matches)$/.test(part.name) ? most : 1_000 + most;
}

function declarationsIn(text: string): ImportantDeclaration[] {
  const list = parse(text, { context: 'declarationList', parseValue: false, parseCustomProperty: false });
  if (list.type !== 'DeclarationList') return [];
  return [...list.children]
    .filter((node): node is DeclarationNode => node.type === 'Declaration')
    .map(({ property, value, important }) => ({
      property: property.startsWith('--') ? property : property.toLowerCase(),
      value: generate(value).trim(),
      isImportant: important !== false,
    }));
}

/** A logo is an image on a screen, in light colours. */
const mediaFeatures: [feature: RegExp, isMatch: boolean][] = [
  [/^(only )?(all|screen)$/, true],
  [/^(only )?(print|speech)$/, false],
  [/^\(prefers-color-scheme:light\)$/, true],
  [/^\(prefers-color-scheme:dark\)$/, false],
  [/^\(prefers-(reduced-motion|contrast|reduced-transparency):no-preference\)$/, true],
  [/^\(prefers-(reduced-motion|contrast|reduced-transparency):\w+\)$/, false],
  [/^\(forced-colors:none\)$/, true],
  [/^\(forced-colors:active\)$/, false],
];

function isMediaMatch(queries: string): boolean {
  return queries.split(',').some((query) => {
    const plain = query
      .trim()
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/\s*([:()])\s*/g, (_, sign) => sign);
    const spaced = plain.replace(/and\(/g, 'and (').replace(/\)and/g, ') and');
    const [, not, rest = ''] = /^(not )?(.*)$/.exec(spaced) ?? [];
    const isMatch = rest.split(' and ').every((part) => {
      const known = mediaFeatures.find(([feature]) => feature.test(part.trim()));
      if (!known) throw new UnsupportedSvg(`the rule @media ${queries} in its style sheet`);
      return known[1];
    });
    return not ? !isMatch : isMatch;
  });
}

function isSupported(condition: string): boolean {
  const text = condition.trim();
  if (/^not\b/i.test(text)) return !isSupported(text.slice(3));
  for (const [word, isEnough] of [
    ['or', true],
    ['and', false],
  ] as const) {
    const parts = splitOutside(text, word);
    if (parts.length > 1) return isEnough ? parts.some(isSupported) : parts.every(isSupported);
  }
  const [, inside] = /^\((.*)\)$/s.exec(text) ?? [];
  if (inside === undefined) throw new UnsupportedSvg(`the rule @supports ${condition} in its style sheet`);
  const [, property, value] = /^\s*([\w-]+)\s*:(.*)$/s.exec(inside) ?? [];
  if (property === undefined || value === undefined) return isSupported(inside);
  return property.startsWith('--') || lexer.matchProperty(property.toLowerCase(), value.trim()).error === null;
}

/** The parts of a text between a word that is outside of parentheses. */
function splitOutside(text: string, word: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const token of text.split(/([(),]|\s+)/)) {
    depth += Number(token === '(') - Number(token === ')');
    if (depth === 0 && token.toLowerCase() === word) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}
