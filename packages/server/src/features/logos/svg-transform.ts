import { UnsupportedSvg } from './svg-document.ts';
import { refuseValue } from './svg-values.ts';

/** What percentages and the origin of a transform refer to. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The properties of CSS that move an element; `attribute` is a transform as SVG writes it. */
export interface Movement {
  attribute?: string | undefined;
  transform?: string | undefined;
  translate?: string | undefined;
  rotate?: string | undefined;
  scale?: string | undefined;
  origin?: string | undefined;
}

const degrees: Record<string, number> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360, '': 1 };
const pixels: Record<string, number> = {
  ...{ px: 1, '': 1, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6, pt: 96 / 72, pc: 16 },
};

/** The transform as SVG writes it. `box` is called if something refers to it. */
export function writeTransform(movement: Movement, box: () => Box): string {
  const { transform, translate, rotate, scale } = movement;
  const functions = [
    ...(isGiven(translate) ? [`translate(${point(words(translate), 'translate', box).join(' ')})`] : []),
    ...(isGiven(rotate) ? [`rotate(${rotation(rotate)})`] : []),
    ...(isGiven(scale) ? [scaling(words(scale), 'scale')] : []),
    ...(transform === undefined ? [movement.attribute ?? ''] : functionsOf(transform, box)),
  ].filter(Boolean);
  if (functions.length === 0) return '';
  const [x, y] = originIn(movement.origin, box);
  if (x === 0 && y === 0) return functions.join(' ');
  return [`translate(${x} ${y})`, ...functions, `translate(${-x} ${-y})`].join(' ');
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value.toLowerCase() !== 'none';
}

function words(text: string): string[] {
  return text.split(/\s*,\s*|\s+/).filter(Boolean);
}

function functionsOf(transform: string, box: () => Box): string[] {
  if (!isGiven(transform)) return [];
  const functions = [...transform.matchAll(/([a-z0-9]+)\(([^()]*)\)\s*/gi)];
  if (functions.map(([whole]) => whole).join('') !== transform) refuseValue('transform', transform);
  return functions.map(([whole, name = '', given = '']) =>
    transformFunction(name.toLowerCase(), words(given), whole, box),
  );
}

function transformFunction(name: string, given: string[], whole: string, box: () => Box): string {
  const [first = '0', second = '0'] = given;
  switch (name) {
    case 'matrix':
      return `matrix(${given.join(' ')})`;
    case 'translate':
      return `translate(${point(given, 'transform', box).join(' ')})`;
    case 'translatex':
      return `translate(${point([first], 'transform', box)[0]} 0)`;
    case 'translatey':
      return `translate(0 ${point(['0', first], 'transform', box)[1]})`;
    case 'translate3d':
      return `translate(${point(given.slice(0, 2), 'transform', box).join(' ')})`;
    case 'scale':
      return scaling(given, 'transform');
    case 'scalex':
      return `scale(${factor(first, 'transform')} 1)`;
    case 'scaley':
      return `scale(1 ${factor(first, 'transform')})`;
    case 'scale3d':
      return scaling(given.slice(0, 2), 'transform');
    case 'rotate':
    case 'rotatez':
      return `rotate(${angle(first, 'transform')})`;
    case 'skew':
      // The order of two skews matters, and SVG has no function for both.
      return `matrix(1 ${tangent(second)} ${tangent(first)} 1 0 0)`;
    case 'skewx':
      return `skewX(${angle(first, 'transform')})`;
    case 'skewy':
      return `skewY(${angle(first, 'transform')})`;
    case 'translatez':
    case 'perspective':
      throw new UnsupportedSvg(`the transform ${name}()`);
    default:
      return refuseValue('transform', whole.trim());
  }
}

function tangent(text: string): number {
  return Math.tan((angle(text, 'transform') * Math.PI) / 180);
}

/** `45deg`, or around the axis of the viewer. */
function rotation(rotate: string): number {
  const parts = words(rotate);
  const last = parts.at(-1) ?? '';
  if (parts.length === 2 && parts[0]?.toLowerCase() === 'z') return angle(last, 'rotate');
  if (parts.length === 4 && parts.slice(0, 3).join(' ') === '0 0 1') return angle(last, 'rotate');
  return parts.length === 1 ? angle(last, 'rotate') : refuseValue('rotate', rotate);
}

function scaling(given: string[], property: string): string {
  const [x, y = x] = given.map((one) => factor(one, property));
  return `scale(${x} ${y})`;
}

function factor(text: string, property: string): number {
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  return Number.isFinite(value) ? value : refuseValue(property, text);
}

function angle(text: string, property: string): number {
  const [, digits, unit = ''] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)([a-z]*)$/i.exec(text) ?? [];
  const each = degrees[unit.toLowerCase()];
  return digits === undefined || each === undefined ? refuseValue(property, text) : Number(digits) * each;
}

function point([x = '0', y = '0']: string[], property: string, box: () => Box): [x: number, y: number] {
  return [distance(x, property, () => box().width), distance(y, property, () => box().height)];
}

function distance(text: string, property: string, whole: () => number): number {
  const [, digits, unit = ''] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)([a-z]*|%)$/i.exec(text) ?? [];
  if (digits === undefined) return refuseValue(property, text);
  if (unit === '%') return (Number(digits) / 100) * whole();
  const each = pixels[unit.toLowerCase()];
  return each === undefined ? refuseValue(property, text) : Number(digits) * each;
}

const percentOf: Record<string, string> = { left: '0%', top: '0%', center: '50%', right: '100%', bottom: '100%' };

function originIn(origin: string | undefined, box: () => Box): [x: number, y: number] {
  const [one = '0', other, ...rest] = origin === undefined ? ['0', '0'] : words(origin.toLowerCase());
  if (rest.length > 0 && Number.parseFloat(rest[0] ?? '') !== 0) refuseValue('transform-origin', origin ?? '');
  const isTurned = /^(top|bottom)$/.test(one) || /^(left|right)$/.test(other ?? '');
  const [x, y] = isTurned ? [other ?? 'center', one] : [one, other ?? 'center'];
  const { x: left, y: top } = box();
  return [
    left + distance(percentOf[x] ?? x, 'transform-origin', () => box().width),
    top + distance(percentOf[y] ?? y, 'transform-origin', () => box().height),
  ];
}
