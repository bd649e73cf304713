import { calc } from '@csstools/css-calc';
import { color, serializeRGB } from '@csstools/css-color-parser';
import { parseComponentValue } from '@csstools/css-parser-algorithms';
import { tokenize } from '@csstools/css-tokenizer';
import { isValid } from './svg-cascade.ts';
import { UnsupportedSvg } from './svg-document.ts';

/** The value of a property as the renderer reads it; null where browsers ignore the declaration. Throws `UnsupportedSvg`. */
type ReadValue = (value: string, property: string) => string | null;

const number = '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?';
const lengthPattern = new RegExp(`^(${number})([a-z]*|%)$`, 'i');
/** Units of the renderer, and those that only browsers know in pixels. */
const units = new Set(['', 'px', 'em', 'ex', 'in', 'cm', 'mm', 'pt', 'pc', '%']);

/** Replaces calculations by their results, as far as these do not depend on sizes. */
export function calculated(value: string): string {
  return /\b(calc|min|max|clamp|abs|sign|round|sqrt|pow)\(/i.test(value) ? calc(value) : value;
}

export function refuseValue(property: string, value: string): never {
  throw new UnsupportedSvg(`the value ${value.length > 80 ? `${value.slice(0, 80)}…` : value} of ${property}`);
}

/** Refuses what browsers accept, or may accept: not every function is known here. */
function unknown(value: string, property: string): null {
  if (value.includes('(') || isValid({ property, value })) refuseValue(property, value);
  return null;
}

/** A colour in any notation, as one in sRGB. Like browsers, it clips colours that no screen of sRGB shows. */
export const readColor: ReadValue = (value, property) => {
  const text = value.replace(/^light-dark\(([^(),]+|[^(),]*\([^()]*\)[^(),]*),.*\)$/is, '$1').trim();
  if (/^currentcolor$/i.test(text)) return 'currentColor';
  const component = parseComponentValue(tokenize({ css: text }));
  const read = component ? color(component) : false;
  if (!read) return unknown(value, property);
  return serializeRGB(read, false).toString();
};

/** The colour, gradient or pattern of a fill or a stroke. */
export const readPaint: ReadValue = (value, property) => {
  if (/^(none|context-fill|context-stroke)$/i.test(value)) return value.toLowerCase();
  const [, url, , , fallback = ''] = /^(url\(\s*(['"]?)(.*?)\2\s*\))\s*(.*)$/is.exec(value) ?? [];
  if (url === undefined) return readColor(value, property);
  const local = readReference(url, property);
  if (fallback === '' || local === null) return local;
  const other = /^none$/i.test(fallback) ? 'none' : readColor(fallback, property);
  return other === null ? null : `${local} ${other}`;
};

/** A reference within the document. */
export const readReference: ReadValue = (value, property) => {
  if (/^none$/i.test(value)) return 'none';
  const [, , target] = /^url\(\s*(['"]?)(.*?)\1\s*\)$/is.exec(value) ?? [];
  if (target === undefined) return unknown(value, property);
  if (!target.startsWith('#')) throw new UnsupportedSvg(`an external reference in ${property}`);
  return `url(${target})`;
};

/** Functions of CSS without colours, which the renderer knows, or a reference. */
export const readFilter: ReadValue = (value, property) => {
  if (value.toLowerCase().startsWith('url(') || /^none$/i.test(value)) return readReference(value, property);
  const isPlain = /^((blur|brightness|contrast|grayscale|hue-rotate|invert|opacity|saturate|sepia)\([^()]*\)\s*)+$/i;
  return isPlain.test(value) && isValid({ property, value }) ? value : unknown(value, property);
};

export const readAlpha: ReadValue = (value, property) => {
  const [, digits, unit] = lengthPattern.exec(value) ?? [];
  if (digits === undefined || (unit !== '' && unit !== '%')) return unknown(value, property);
  return String(Math.min(Math.max(unit === '%' ? Number(digits) / 100 : Number(digits), 0), 1));
};

export const readLength: ReadValue = (value, property) => {
  const [, digits, unit = ''] = lengthPattern.exec(value) ?? [];
  if (digits === undefined) return unknown(value, property);
  if (unit.toLowerCase() === 'q') return `${Number(digits) / 4}mm`;
  if (!units.has(unit.toLowerCase())) return unknown(value, property);
  return `${digits}${unit.toLowerCase()}`;
};

/** A negative one is invalid. */
export const readSize: ReadValue = (value, property) => (value.startsWith('-') ? null : readLength(value, property));

/** A size of CSS, which has a unit. */
export const readAutoSize: ReadValue = (value, property) => {
  if (/^auto$/i.test(value)) return 'auto';
  if (/^(fit-content|max-content|min-content|stretch)\b/i.test(value)) return refuseValue(property, value);
  return readSize(value, property);
};

export const readNumber: ReadValue = (value, property) =>
  new RegExp(`^${number}$`, 'i').test(value) ? value : unknown(value, property);

export const readDashes: ReadValue = (value, property) => {
  if (/^none$/i.test(value)) return 'none';
  const lengths = value.split(/\s*,\s*|\s+/).map((one) => readSize(one, property));
  return lengths.includes(null) ? null : lengths.join(' ');
};

export const readKeyword: ReadValue = (value, property) => (isValid({ property, value }) ? value.toLowerCase() : null);

/** One of some keywords. */
export function oneOf(...keywords: string[]): ReadValue {
  return (value) => (keywords.includes(value.toLowerCase()) ? value.toLowerCase() : null);
}

/** The data of a path; none has no shape. */
export const readPathData: ReadValue = (value, property) => {
  if (/^none$/i.test(value)) return '';
  const [, , data] = /^path\(\s*(['"])(.*)\1\s*\)$/is.exec(value) ?? [];
  return data ?? unknown(value, property);
};
