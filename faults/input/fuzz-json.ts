import type { SeededRandom } from '../../scripts/seeded-random.ts';
import { fuzzText } from './fuzz-text.ts';

export interface FuzzBody {
  bytes: Buffer;
  /** Whether it is invalid or ambiguous JSON, which an otherwise valid request must get 400 for. */
  isInvalid: boolean;
}

/** The JSON text of a body, usually with something wrong in it. */
export function fuzzBody(random: SeededRandom, value: unknown): FuzzBody {
  const kind = random.between(1, 20);
  if (kind <= 7) return { bytes: Buffer.from(JSON.stringify(value)), isInvalid: false };
  if (kind <= 14) return { bytes: Buffer.from(represented(random, changed(random, value))), isInvalid: false };
  if (kind <= 18) return { bytes: invalid(random, JSON.stringify(value)), isInvalid: true };
  return { bytes: Buffer.from(deep(random)), isInvalid: false };
}

/** Changes, adds, removes or moves one field. */
function changed(random: SeededRandom, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return anyValue(random);
  const fields = Object.entries(value);
  const [name, field] = fields[random.between(0, Math.max(0, fields.length - 1))] ?? ['name', null];
  switch (random.between(1, 7)) {
    case 1:
      return { ...value, [name]: anyValue(random) };
    case 2:
      return { ...value, [name]: fuzzText(random) };
    case 3:
      return { ...value, [`x${fuzzText(random)}`]: anyValue(random) };
    case 4:
      return Object.fromEntries(fields.filter(([other]) => other !== name));
    case 5:
      return anyValue(random);
    case 6:
      return Array.isArray(value) ? [...value, anyValue(random)] : [value];
    default:
      return typeof field === 'object' ? { ...value, [name]: changed(random, field) } : { ...value, [name]: null };
  }
}

function anyValue(random: SeededRandom): unknown {
  const numbers = [0, -0, 1, -1, 0.1, 1e308, 2 ** 53, -(2 ** 63), 1e-320] as const;
  return random.pick<unknown>([
    null,
    true,
    false,
    [],
    {},
    [[]],
    { '': {} },
    { constructor: { prototype: {} } },
    random.pick(numbers),
    fuzzText(random),
    [fuzzText(random)],
    { toString: fuzzText(random) },
  ]);
}

/** Another representation of the same value, with escapes or white space. */
function represented(random: SeededRandom, value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  switch (random.between(1, 4)) {
    case 1:
      return JSON.stringify(value, null, random.pick<string | number>([1, '\t', '\n'])) ?? 'null';
    case 2:
      return `\n\t ${text} \r\n`;
    case 3:
      return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    default:
      return text;
  }
}

function invalid(random: SeededRandom, text: string): Buffer {
  const inside = text.slice(1, -1);
  const rest = inside === '' ? '' : `,${inside}`;
  return random.pick<() => Buffer>([
    () => Buffer.from(`{"__proto__":${JSON.stringify({ name: 'x' })}${rest}}`),
    () => Buffer.from(`{"__pro\\u0074o__":null${rest}}`),
    () => Buffer.from(`{"name":"One","name":"Two"}`),
    () => Buffer.from(`{"name":"One","n\\u0061me":"One"}`),
    () => Buffer.from(`{"listingInfo":{"shortDescription":"a","shortDescription":"b"}}`),
    () => Buffer.from(`{"oauthInfo":{"__proto__":{}}}`),
    () => Buffer.from(text.slice(0, -1)),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from(`${text},`),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(`${text}\u0000`),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from('{"name":"a'), Buffer.from([random.between(0x80, 0xff)]), Buffer.from('"}')]),
    () => Buffer.from([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
    () => Buffer.from(`{'name':'a'}`),
    () => Buffer.from(`{"name":"a\n"}`),
    () => Buffer.from(`{"name":"\\x41"}`),
    () => Buffer.from(`{"name":NaN}`),
    () => Buffer.from(`{"name":01}`),
    () => Buffer.from(`/* */${text}`),
    () => Buffer.from(`[1,]`),
    () => Buffer.alloc(0),
    () => Buffer.from('   '),
  ])();
}

function deep(random: SeededRandom): string {
  const depth = random.pick([100, 5_000, 20_000]);
  return random.chance(0.5)
    ? `${'['.repeat(depth)}${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}
