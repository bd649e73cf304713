import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js';
import type { Element } from 'domhandler';
import { comment, type Declaration, declarationsFor, isValid, readStyleSheets } from './svg-cascade.ts';
import { childElements, elementsOf, parseSvg, textIn, UnsupportedSvg, writeSvg } from './svg-document.ts';
import { addSteps, isModernColor } from './svg-gradient.ts';
import { type Box, type Movement, writeTransform } from './svg-transform.ts';
import {
  calculated,
  oneOf,
  readAlpha,
  readAutoSize,
  readColor,
  readDashes,
  readFilter,
  readKeyword,
  readLength,
  readNumber,
  readPaint,
  readPathData,
  readReference,
  readSize,
  refuseValue,
} from './svg-values.ts';

/*
 * Browsers draw an SVG by CSS, of which the renderer knows an old part. This pass works out the styles of each element and
 * writes them as the attributes of SVG that the renderer does know. What it cannot write is refused.
 */

/** How everything is rendered: without fonts and messages. */
export const settings: ResvgRenderOptions = { font: { loadSystemFonts: false }, logLevel: 'off' };

export interface ResolvedSvg {
  markup: string;
  /** The colour behind the image, if it has one. */
  background?: string;
}

/** The properties that become attributes, and how their values are read. */
const readers: Record<string, (value: string, property: string) => string | null> = {
  ...{ fill: readPaint, stroke: readPaint },
  ...{ color: readColor, 'stop-color': readColor, 'flood-color': readColor, 'lighting-color': readColor },
  ...{ opacity: readAlpha, 'fill-opacity': readAlpha, 'stroke-opacity': readAlpha, 'stop-opacity': readAlpha },
  ...{ 'flood-opacity': readAlpha, 'stroke-width': readSize, 'stroke-dashoffset': readLength },
  ...{ 'stroke-miterlimit': readNumber, 'stroke-dasharray': readDashes, 'font-size': readSize },
  ...{ 'fill-rule': oneOf('nonzero', 'evenodd'), 'clip-rule': oneOf('nonzero', 'evenodd') },
  ...{ 'stroke-linecap': oneOf('butt', 'round', 'square'), 'stroke-linejoin': oneOf('miter', 'round', 'bevel') },
  ...{ visibility: readKeyword, display: readKeyword, overflow: readKeyword, 'paint-order': readKeyword },
  ...{ 'mask-type': readKeyword, 'shape-rendering': readKeyword, 'color-interpolation-filters': readKeyword },
  ...{ 'mix-blend-mode': readKeyword, isolation: readKeyword },
  ...{ 'clip-path': readReference, mask: readReference, filter: readFilter },
  ...{ 'marker-start': readReference, 'marker-mid': readReference, 'marker-end': readReference },
};

/** The properties of CSS that set the geometry of some elements. */
const geometry: Record<string, [elements: RegExp, read: (value: string, property: string) => string | null]> = {
  ...{ cx: [/^(circle|ellipse)$/, readLength], cy: [/^(circle|ellipse)$/, readLength], r: [/^circle$/, readSize] },
  ...{ rx: [/^(rect|ellipse)$/, readAutoSize], ry: [/^(rect|ellipse)$/, readAutoSize] },
  ...{ x: [/^(rect|svg|use)$/, readLength], y: [/^(rect|svg|use)$/, readLength], d: [/^path$/, readPathData] },
  ...{ width: [/^(rect|svg)$/, readAutoSize], height: [/^(rect|svg)$/, readAutoSize] },
};

/** What the renderer ignores, unless it has one of these values. */
const onlyValues: Record<string, RegExp> = {
  'vector-effect': /^none$/,
  'offset-path': /^none$/,
  zoom: /^(1|100%|normal)$/,
  all: /^never$/,
  animation: /^none\b/,
  'animation-name': /^none$/,
  'mask-image': /^none$/,
  'mask-border': /^none$/,
};

const movements = ['transform', 'translate', 'rotate', 'scale', 'transform-origin', 'transform-box'];

/** Properties with this prefix are others of the same name. */
const aliased =
  /^-webkit-(?=(transform|transform-origin|filter|clip-path|mask|mask-image|opacity|animation|animation-name)$)/;

/** What browsers draw of an SVG, in the part of SVG that the renderer knows. Throws `UnsupportedSvg`, or an `Error` for bad XML. */
export function resolveSvg(markup: string): ResolvedSvg {
  const root = parseSvg(markup);
  for (const element of elementsOf(root)) refuseElement(element);
  const rules = readStyleSheets(root);
  const ids = new Map([...elementsOf(root)].toReversed().map((element) => [element.attribs.id, element]));
  const variables = new Map<Element, ReadonlyMap<string, string>>();
  const varied = new Set<Element>();
  const paints = new Map<Element, Record<string, string | undefined>>();
  const modernStops = new Map<Element, string>();
  const moved: [Element, Movement, box: string][] = [];
  let background: string | undefined;
  for (const element of elementsOf(root)) {
    const parent = element.parent && variables.get(element.parent as Element);
    const own = declarationsFor(element, rules, attributesOf(element)).map(unaliased);
    const known = withVariables(parent ?? new Map(), own);
    variables.set(element, known);
    if (own.some(({ value }) => hasVariable(value))) varied.add(element);
    const styles = winners(element, own, known);
    if (element === root) background = backgroundOf(styles);
    const stopColor = element.name === 'stop' && lastModernColor(element, own, known);
    if (stopColor) modernStops.set(element, stopColor);
    const movement = writeStyles(element, styles, ids);
    paints.set(element, writeCurrentColor(element, paints.get(element.parent as Element)));
    if (movement) moved.push([element, movement, styles.get('transform-box') ?? 'view-box']);
  }
  for (const gradient of new Set([...modernStops.keys()].map(({ parent }) => parent as Element))) {
    addSteps(gradient, modernStops);
  }
  // That of browsers, which `em` refers to.
  root.attribs['font-size'] ??= '16';
  refuseScaledDashes(root);
  refuseInherited(root, { ids, variables, varied });
  for (const element of elementsOf(root)) for (const name of ['style', 'class']) delete element.attribs[name];
  // From the inside out, because the box of a group depends on what is in it.
  for (const [element, movement, box] of moved.toReversed()) writeMovement(element, movement, box);
  return { markup: writeSvg(root), ...(background !== undefined && { background }) };
}

function refuseElement(element: Element): void {
  const { name, attribs, parent } = element;
  if (/^(animate|animateTransform|animateMotion|animateColor|set)$/.test(name)) throw new UnsupportedSvg(`<${name}>`);
  if (name === 'foreignObject') {
    // Browsers take the next one of a switch, such as the shapes that Illustrator writes beside its own data.
    const isSkipped = (parent as Element | null)?.name === 'switch' && attribs.requiredExtensions !== undefined;
    const isEmpty = childElements(element).length === 0 && textIn(element).trim() === '';
    if (!isSkipped && !isEmpty) throw new UnsupportedSvg('HTML in <foreignObject>', toPaths);
  }
  if (/^flow(Root|Para|Span)$/.test(name) && textIn(element).trim() !== '') {
    throw new UnsupportedSvg(`text in <${name}>`, toPaths);
  }
  const { href } = attribs;
  const isReference = /^(use|linearGradient|radialGradient|pattern|filter|mpath|tref)$/.test(name);
  if (isReference && href !== undefined && !href.trim().startsWith('#')) {
    throw new UnsupportedSvg(`an external reference in <${name}>`);
  }
}

const toPaths = 'Convert the text to paths.';

/** Attributes that are properties too: declarations that any rule overrides. */
function attributesOf({ attribs }: Element): Declaration[] {
  return Object.entries(attribs)
    .filter(([property]) => property in readers || property in onlyValues || /^transform-(origin|box)$/.test(property))
    .map(([property, value]) => {
      // Attributes have numbers where CSS has lengths.
      const text = property === 'transform-origin' ? value.replace(/(?<=\d)(?=[\s,]|$)/g, 'px') : value;
      return { property, value: text.replaceAll(comment, ' ').trim() };
    });
}

function unaliased({ property, value }: Declaration): Declaration {
  return { property: property.replace(aliased, ''), value: calculated(value) };
}

function withVariables(inherited: ReadonlyMap<string, string>, own: Declaration[]): ReadonlyMap<string, string> {
  const given = own.filter(({ property }) => property.startsWith('--'));
  if (given.length === 0) return inherited;
  const all = new Map([...inherited, ...given.map(({ property, value }) => [property, value] as const)]);
  for (const { property } of given) {
    // One that refers to itself has no value.
    const value = substituted(all.get(property) ?? '', new Map([...all, [property, '']]));
    if (value === null || value === '') all.delete(property);
    else all.set(property, value);
  }
  return all;
}

/** A value with those of its variables; null if one has none. */
function substituted(value: string, variables: ReadonlyMap<string, string>, depth = 0): string | null {
  const at = value.search(/\bvar\(/i);
  if (at === -1) return value;
  if (depth > 100) return null;
  let [end, open] = [at + 4, 1];
  for (; end < value.length && open > 0; end += 1) open += Number(value[end] === '(') - Number(value[end] === ')');
  const inside = value.slice(at + 4, end - (open === 0 ? 1 : 0));
  const [, name = '', , fallback] = /^\s*(--[^\s,]+)\s*(,(.*))?$/s.exec(inside) ?? [];
  const found = variables.get(name) || fallback?.trim();
  if (found === undefined) return null;
  return substituted(`${value.slice(0, at)} ${found} ${value.slice(end)}`, variables, depth + 1);
}

function hasVariable(value: string): boolean {
  return /\bvar\(/i.test(value);
}

/** The value of each property: the last one that is valid. */
function winners(element: Element, declarations: Declaration[], variables: ReadonlyMap<string, string>) {
  const found = new Map<string, string>();
  for (const { property, value: given } of declarations) {
    const isVaried = hasVariable(given);
    const substitute = substituted(given, variables)?.trim() ?? null;
    const value = isVaried && substitute !== null ? calculated(substitute) : substitute;
    if (property.startsWith('--') || (value === null && !isVaried)) continue;
    // With a variable, a declaration is only found to be invalid once it has won.
    const read = value === null ? null : readProperty(element, property, value);
    if (read !== null) for (const [name, text] of read) found.set(name, text);
    else if (isVaried) found.set(property, 'unset');
  }
  return found;
}

/** The properties that a declaration sets; null if it is invalid. */
function readProperty(element: Element, property: string, value: string): [property: string, value: string][] | null {
  if (property !== 'all' && /^(inherit|initial|unset|revert|revert-layer)$/i.test(value))
    return [[property, value.toLowerCase()]];
  if (property === 'marker') {
    const read = readReference(value, property);
    return read === null ? null : ['marker-start', 'marker-mid', 'marker-end'].map((name) => [name, read]);
  }
  const [elements, readGeometry] = geometry[property] ?? [];
  if (elements && readGeometry) {
    // Browsers take the size of an image from its attributes.
    if (!elements.test(element.name) || element.parent === null) return [];
    // Of the lengths, browsers want a unit of these alone.
    if (/^(width|height)$/.test(property) && /^\+?[\d.]*[1-9][\d.]*$/.test(value)) return null;
    const read = readGeometry(value, property);
    return read === null ? null : [[property, read]];
  }
  if (property in readers) {
    const read = readers[property]?.(value, property) ?? null;
    return read === null ? null : [[property, read]];
  }
  if (onlyValues[property] && !onlyValues[property].test(value.toLowerCase()) && isValid({ property, value })) {
    return refuseValue(property, value);
  }
  if (movements.includes(property)) return isValid({ property, value }) ? [[property, value]] : null;
  if (/^(background|border|outline|box-shadow|padding)/.test(property)) {
    return isValid({ property, value }) ? [[property, value]] : null;
  }
  return [];
}

const initialValues: Record<string, string> = {
  ...{ fill: '#000', stroke: 'none', 'stroke-width': '1', 'fill-opacity': '1', 'stroke-opacity': '1', color: '#000' },
  ...{ 'fill-rule': 'nonzero', 'clip-rule': 'nonzero', 'stroke-linecap': 'butt', 'stroke-linejoin': 'miter' },
  ...{ 'stroke-miterlimit': '4', 'stroke-dasharray': 'none', 'stroke-dashoffset': '0', visibility: 'visible' },
  ...{ 'paint-order': 'normal', 'marker-start': 'none', 'marker-mid': 'none', 'marker-end': 'none' },
};

/** Writes styles as attributes; returns what moves the element. */
function writeStyles(
  element: Element,
  styles: Map<string, string>,
  ids: Map<string | undefined, Element>,
): Movement | null {
  for (const property of Object.keys(readers)) delete element.attribs[property];
  for (const property of ['rx', 'ry']) if (element.attribs[property] === 'auto') element.attribs[property] = '0';
  const blending: string[] = [];
  for (const [property, value] of styles) {
    if (!(property in readers) && !(property in geometry)) continue;
    const written = /^(unset|revert|revert-layer)$/.test(value)
      ? null
      : value === 'initial'
        ? initialValues[property]
        : value;
    if (isMissing(property, written, ids)) continue;
    if (property === 'mix-blend-mode' || property === 'isolation') blending.push(`${property}:${written}`);
    else if (written === null || written === undefined || written === 'auto') {
      delete element.attribs[property];
    } else element.attribs[property] = written;
  }
  if (blending.length > 0) element.attribs['-style'] = blending.join(';');
  const given = (property: string) => {
    const value = styles.get(property);
    return value === undefined || /^(initial|unset|revert|revert-layer)$/.test(value) ? undefined : value;
  };
  const movement: Movement = {
    attribute: styles.has('transform') ? undefined : element.attribs.transform,
    transform: given('transform'),
    translate: given('translate'),
    rotate: given('rotate'),
    scale: given('scale'),
    origin: given('transform-origin'),
  };
  const isMoved = movements.some((property) => styles.has(property));
  return isMoved ? movement : null;
}

/** The colour of a stop as it was given, which may be outside of sRGB, if it is not of an older notation. */
function lastModernColor(
  stop: Element,
  own: Declaration[],
  variables: ReadonlyMap<string, string>,
): string | undefined {
  const values = own
    .filter(({ property }) => property === 'stop-color')
    .map(({ value }) => substituted(value, variables)?.trim() ?? '');
  const last = values.findLast((value) => readProperty(stop, 'stop-color', value) !== null);
  return last !== undefined && isModernColor(last) ? last : undefined;
}

/** Each element has its own colour for a fill or stroke of `currentColor` that it inherits. */
function writeCurrentColor({ attribs }: Element, inherited: Record<string, string | undefined> = {}) {
  for (const property of ['fill', 'stroke']) {
    if (attribs.color !== undefined && inherited[property] === 'currentColor') attribs[property] ??= 'currentColor';
  }
  return { fill: attribs.fill ?? inherited.fill, stroke: attribs.stroke ?? inherited.stroke };
}

/** The renderer does not scale dashes to the length of a path. */
function refuseScaledDashes(root: Element): void {
  const all = [...elementsOf(root)];
  const isDashed = all.some(({ attribs }) => (attribs['stroke-dasharray'] ?? 'none') !== 'none');
  if (isDashed && all.some(({ attribs }) => attribs.pathLength !== undefined)) {
    throw new UnsupportedSvg('pathLength with dashes');
  }
}

/** Browsers draw an element whose filter, mask or clip path does not exist. */
function isMissing(property: string, value: string | null | undefined, ids: Map<string | undefined, Element>): boolean {
  const [, id] = /^url\(#(.*)\)$/.exec(value ?? '') ?? [];
  if (id === undefined || !/^(filter|mask|clip-path)$/.test(property)) return false;
  const expected = property === 'clip-path' ? 'clipPath' : property;
  return ids.get(id)?.name !== expected;
}

function writeMovement(element: Element, movement: Movement, box: string): void {
  const name = {
    linearGradient: 'gradientTransform',
    radialGradient: 'gradientTransform',
    pattern: 'patternTransform',
  }[element.name];
  const written = writeTransform(movement, () => referenceBox(element, box));
  if (written !== '' && element.parent === null) throw new UnsupportedSvg('a transform of its root element');
  delete element.attribs.transform;
  delete element.attribs['transform-origin'];
  delete element.attribs['transform-box'];
  if (written !== '' || movement.transform !== undefined) element.attribs[name ?? 'transform'] = written;
}

function referenceBox(element: Element, box: string): Box {
  if (box === 'fill-box' || box === 'content-box') return contentBox(element);
  if (box !== 'view-box') return refuseValue('transform-box', box);
  let viewport = element.parent as Element | null;
  while (viewport && viewport.name !== 'svg') viewport = viewport.parent as Element | null;
  const { viewBox = '', width = '', height = '' } = viewport?.attribs ?? {};
  const [, , boxWidth, boxHeight] = viewBox
    .trim()
    .split(/\s*,\s*|\s+/)
    .map(Number);
  const size = [boxWidth ?? Number.parseFloat(width), boxHeight ?? Number.parseFloat(height)];
  // Nothing in percent needs it.
  const [w = 0, h = 0] = size.map((side) => (Number.isFinite(side) ? side : 0));
  return { x: 0, y: 0, width: w, height: h };
}

/** The box of the shapes in an element, without their strokes. */
function contentBox(element: Element): Box {
  const shape = element.cloneNode(true);
  for (const one of elementsOf(shape)) {
    if (one.name === 'use' || one.name === 'svg')
      throw new UnsupportedSvg('transform-box for an element with others in it');
    for (const name of ['stroke', 'filter', 'mask', 'clip-path', 'opacity', 'display', 'visibility'])
      delete one.attribs[name];
    one.attribs.fill = '#000';
  }
  delete shape.attribs.transform;
  const root = parseSvg('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>');
  shape.parent = root;
  root.children.push(shape);
  const { x = 0, y = 0, width = 0, height = 0 } = new Resvg(writeSvg(root), settings).getBBox() ?? {};
  return { x, y, width, height };
}

function backgroundOf(styles: Map<string, string>): string | undefined {
  for (const [property, value] of styles) {
    if (/^(border|outline|box-shadow|padding)/.test(property) && !/^(none|0(px)?)\b/.test(value)) {
      refuseValue(`${property} of the root element`, value);
    }
  }
  const given = [...styles]
    .filter(([property]) => /^background(-color|-image)?$/.test(property))
    .map(([, value]) => value);
  const colors = given.filter((value) => !/^(none|transparent|initial|unset)$/i.test(value));
  return colors.map((value) => readColor(value, 'color') ?? refuseValue('background', value)).at(-1);
}

/** What `use` shows inherits from it: the variables of both places must be the same. */
function refuseInherited(
  root: Element,
  {
    ids,
    variables,
    varied,
  }: {
    ids: Map<string | undefined, Element>;
    variables: Map<Element, ReadonlyMap<string, string>>;
    varied: Set<Element>;
  },
): void {
  for (const use of elementsOf(root)) {
    const target = use.name === 'use' ? ids.get(use.attribs.href?.trim().slice(1)) : undefined;
    if (!target) continue;
    const [there, here] = [target.parent ?? root, use].map((one) => variables.get(one as Element));
    const differs = [...(here ?? [])].some(([name, value]) => there?.get(name) !== value);
    const isVaried = [...elementsOf(target)].some((element) => varied.has(element));
    if (differs && isVaried) throw new UnsupportedSvg('variables that change what <use> shows');
  }
}
