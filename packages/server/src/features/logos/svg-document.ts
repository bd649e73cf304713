import { type ChildNode, Element, isTag, Text } from 'domhandler';
import { SaxesParser } from 'saxes';

const svgNamespace = 'http://www.w3.org/2000/svg';
const xlinkNamespace = 'http://www.w3.org/1999/xlink';

/** A construct that browsers draw and the renderer does not. */
export class UnsupportedSvg extends Error {
  constructor(construct: string, advice = 'Export the image as a still SVG of shapes with plain attributes.') {
    super(`The SVG uses ${construct}, which is not supported. ${advice}`);
  }
}

/**
 * The root element of an SVG, with elements of other namespaces only for the text in them, and without prefixes. Throws an `Error`
 * if the text is not well-formed XML with an SVG as its root, as browsers require.
 */
export function parseSvg(markup: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  let root: Element | undefined;
  const open: Element[] = [];
  const add = (child: ChildNode) => {
    const parent = open.at(-1);
    if (!parent) return;
    child.parent = parent;
    child.prev = parent.lastChild;
    if (parent.lastChild) parent.lastChild.next = child;
    parent.children.push(child);
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const element = new Element(uri === svgNamespace ? local : `${foreign}${local}`, {});
    for (const { local: name, prefix, uri: of, value } of Object.values(attributes)) {
      if (of === '' || of === undefined) element.attribs[name] = value;
      else if (of === xlinkNamespace && name === 'href') element.attribs.href ??= value;
      else if (prefix === 'xml') element.attribs[`xml:${name}`] = value;
    }
    const [plain] = Object.values(attributes).filter(({ local: name, uri: of }) => name === 'href' && !of);
    if (plain) element.attribs.href = plain.value;
    add(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  for (const event of ['text', 'cdata'] as const) parser.on(event, (text) => add(new Text(text)));
  parser.write(markup).close();
  if (root?.name !== 'svg') throw new Error('The root is not an SVG element.');
  return root;
}

/** Starts the names of elements that are not of SVG. */
const foreign = '-';

export function childElements(element: Element): Element[] {
  return element.children.filter((child) => isTag(child));
}

/** An element and all within it, in the order of the document. */
export function* elementsOf(element: Element): Generator<Element> {
  const next = [element];
  for (let one = next.pop(); one; one = next.pop()) {
    yield one;
    next.push(...childElements(one).toReversed());
  }
}

/** All text within an element. */
export function textIn(element: Element): string {
  return [...elementsOf(element)]
    .flatMap(({ children }) => children.map((child) => (child instanceof Text ? child.data : '')))
    .join('');
}

/** The markup of an element, without text and without elements that are not of SVG. */
export function writeSvg(element: Element): string {
  if (element.name.startsWith(foreign) || element.name === 'style') return '';
  const isRoot = element.parent === null;
  const attributes = Object.entries(element.attribs).map(
    ([name, value]) => ` ${name.replace(/^-/, '')}="${escaped(value)}"`,
  );
  const content = childElements(element).map(writeSvg).join('');
  return `<${element.name}${isRoot ? ` xmlns="${svgNamespace}"` : ''}${attributes.join('')}>${content}</${element.name}>`;
}

function escaped(value: string): string {
  return value.replace(/[&<"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
