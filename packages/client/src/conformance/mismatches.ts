import { isDeepStrictEqual } from 'node:util';
import { fieldOf, type HttpResponse, jsonAt } from './http-response.ts';
import type { Expectation, Expected, Json } from './interface-guarantee.ts';
import type { Placeholders } from './placeholders.ts';

/** One part of a response that differs from the expectation. */
export interface Mismatch {
  /** Such as `status`, `header etag` or `body /name`. */
  part: string;
  expected: string;
  received: string;
}

/** All mismatches between a response and the expectation. */
export function mismatchesOf(response: HttpResponse, expect: Expectation, placeholders: Placeholders): Mismatch[] {
  const known = placeholders.with('this', response);
  const at = (part: string, value: Json | undefined, expected: Expected) => differences(part, value, expected, known);
  return [
    ...statusMismatches(response, expect.status),
    ...Object.entries(expect.headers ?? {}).flatMap(([name, expected]) =>
      at(`header ${name}`, response.headers[name], expected),
    ),
    ...(expect.code === undefined ? [] : at('body /code', jsonAt(response, '/code'), { equals: expect.code })),
    ...(expect.errors ? errorMismatches(response, expect.errors) : []),
    ...Object.entries(expect.body ?? {}).flatMap(([pointer, expected]) =>
      at(`body ${pointer}`, jsonAt(response, pointer), expected),
    ),
    ...(expect.text ? at('body', response.text, expect.text) : []),
  ];
}

/** Text of at most this many characters is shown whole. */
const shownMax = 200;

export function shown(value: Json | undefined): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length <= shownMax ? text : `${text.slice(0, shownMax)}… (${text.length} characters)`;
}

function statusMismatches({ status, text }: HttpResponse, expected: Expectation['status']): Mismatch[] {
  if (expected === undefined || expected === status) return [];
  if (expected === '4xx' && status >= 400 && status < 500) return [];
  const because = status >= 400 && text ? ` ${shown(text)}` : '';
  return [{ part: 'status', expected: String(expected), received: `${status}${because}` }];
}

function errorMismatches(response: HttpResponse, expected: readonly string[]): Mismatch[] {
  const errors = jsonAt(response, '/errors');
  const received = Array.isArray(errors)
    ? errors.map((error) => `${fieldOf(error, 'pointer')} ${fieldOf(error, 'code')}`)
    : [];
  const missing = expected.filter((error) => !received.includes(error));
  const others = received.filter((error) => !expected.includes(error));
  if (missing.length + others.length === 0) return [];
  return [{ part: 'body /errors', expected: shown(expected.toSorted()), received: shown(received.toSorted()) }];
}

function differences(part: string, value: Json | undefined, expected: Expected, known: Placeholders): Mismatch[] {
  if ('optional' in expected) return value === undefined ? [] : differences(part, value, expected.optional, known);
  if ('fields' in expected) {
    if (!isType(value, 'object')) return [mismatch(part, 'an object', value)];
    return Object.entries(expected.fields).flatMap(([field, inner]) =>
      differences(`${part}/${field}`, fieldOf(value, field), inner, known),
    );
  }
  if ('each' in expected) {
    if (!Array.isArray(value)) return [mismatch(part, 'a list', value)];
    return value.flatMap((element, index) => differences(`${part}/${index}`, element, expected.each, known));
  }
  return isAs(value, expected, known) ? [] : [mismatch(part, described(expected, known), value)];
}

function isAs(value: Json | undefined, expected: Expected, known: Placeholders): boolean {
  if ('is' in expected) return isType(value, expected.is);
  if ('equals' in expected) return isDeepStrictEqual(value, known.fillJson(expected.equals));
  if ('sameAs' in expected) return isDeepStrictEqual(value, known.valueAt(expected.sameAs));
  if ('lengthOf' in expected) return value === lengthAt(expected.lengthOf, known);
  if ('length' in expected) return Array.isArray(value) && value.length === expected.length;
  if ('matches' in expected) return typeof value === 'string' && regularExpression(expected.matches, known).test(value);
  if ('oneOf' in expected) return expected.oneOf.some((one) => isDeepStrictEqual(value, known.fillJson(one)));
  if ('not' in expected) return value !== undefined && !isAs(value, expected.not, known);
  return false;
}

function described(expected: Expected, known: Placeholders): string {
  if ('is' in expected) return expected.is === 'absent' || expected.is === 'present' ? expected.is : `a ${expected.is}`;
  if ('equals' in expected) return shown(known.fillJson(expected.equals));
  if ('sameAs' in expected) return shown(known.valueAt(expected.sameAs));
  if ('lengthOf' in expected) return shown(lengthAt(expected.lengthOf, known));
  if ('length' in expected) return `a list of ${expected.length}`;
  if ('matches' in expected) return `text that matches ${regularExpression(expected.matches, known)}`;
  if ('oneOf' in expected) return `one of ${shown(expected.oneOf.map((one) => known.fillJson(one)))}`;
  if ('not' in expected) return `present, and not ${described(expected.not, known)}`;
  return 'as expected';
}

function isType(value: Json | undefined, type: (Expected & { is: unknown })['is']): boolean {
  switch (type) {
    case 'absent':
      return value === undefined;
    case 'present':
      return value !== undefined && value !== null;
    case 'integer':
      return Number.isInteger(value);
    case 'list':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** Values of placeholders are matched literally. */
function regularExpression(pattern: string, known: Placeholders): RegExp {
  return new RegExp(
    known.fill(pattern, (text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')),
    'u',
  );
}

function lengthAt(reference: string, known: Placeholders): number | undefined {
  const list = known.valueAt(reference);
  return Array.isArray(list) ? list.length : undefined;
}

function mismatch(part: string, expected: string, value: Json | undefined): Mismatch {
  return { part: part.trim(), expected, received: shown(value) };
}
