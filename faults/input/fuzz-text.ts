import type { SeededRandom } from '../../scripts/seeded-random.ts';

/** Texts that are known to break programs. */
const known: [string, ...string[]] = [
  '',
  ' ',
  'null',
  'undefined',
  'true',
  'NaN',
  '-1',
  '0x10',
  '1e400',
  '9223372036854775808',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '#{7*7}',
  '{{7*7}}',
  '%s%n%x',
  '%00',
  '%2e%2e%2f',
  '../../../etc/passwd',
  '..\\..\\boot.ini',
  "' or 1=1 --",
  "'; drop table apps; --",
  '" or ""="',
  '$$; select pg_sleep(9); $$',
  '\\',
  '\\u0000',
  '"',
  "'",
  '`',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '<!--#exec cmd="ls" -->',
  ']]>',
  '=cmd|calc!A1',
  '$(reboot)',
  '; reboot',
  '| reboot',
  '\r\nSet-Cookie: a=b',
  'a\nb',
  'a\tb',
  '\u0000',
  'a\u0000b',
  '\u0007',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u200d',
  '\u200e',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
  '\u2060',
  '\u3000',
  '\u3164',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '\ud800',
  '\udc00',
  '\udc00\ud800',
  '\u{10ffff}',
  '\u{e0001}',
  '\u{e0041}',
  'e\u0301',
  '\u00e9',
  '\u212b',
  'A\u030a',
  '\ufb01',
  '\ufdfa',
  'ß',
  'ẞ',
  'İ',
  'ı',
  'ſ',
  'Ǆ',
  'ΐ',
  '１２３',
  '²',
  '𝐓𝐞𝐬𝐭',
  'パーティーへ行かないか',
  'مُنَاقَشَةُ',
  'שלום',
  'नमस्ते',
  '👩‍👩‍👧‍👦',
  '🏳️‍🌈',
  '🇺🇸🇷',
  '👍🏽',
  `Z${'\u0351\u036b\u0343\u036a'.repeat(20)}`,
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://',
  'https://a',
  'https://a/?q=%zz',
  'https://user@localhost/',
  'https://localhost\\@other.invalid/',
  'https://localhost#x',
  'https://[::1]/',
  'https://[::1',
  'https://xn--/',
  'https://localhost:99999/',
  'https://LOCALHOST/',
  'https://0x7f.1/',
  'https://*.invalid/',
  'http://localhost/',
  'http://other.invalid/',
  'HTTPS://localhost/',
  'https:/localhost',
  '//localhost',
  ' https://localhost/',
  '#fff',
  '#ffff',
  '#GGG',
  'rgb(0,0,0)',
  'app_00000000000000000000000000',
  'app_7zzzzzzzzzzzzzzzzzzzzzzzzz',
  'app_8zzzzzzzzzzzzzzzzzzzzzzzzz',
  'APP_00000000000000000000000000',
  'app_0000000000000000000000000',
  'user_00000000000000000000000000',
  'logo_00000000000000000000000000',
];

/** A known text, one of arbitrary characters, or a long one. */
export function fuzzText(random: SeededRandom): string {
  const kind = random.between(1, 10);
  if (kind <= 6) return random.pick(known);
  if (kind <= 8) return anyText(random, random.between(1, 12));
  if (kind === 9) return `${random.pick(known)}${random.pick(known)}`;
  return random.pick(['a', '𝒂', 'é', ' ', '\u0301']).repeat(random.pick([99, 100, 101, 500, 501, 2_048, 4_000, 4_001]));
}

/** A text that is valid as any line of text. It must be stored unchanged. */
export function validText(random: SeededRandom): string {
  const text = `${random.pick(known)}${anyText(random, random.between(0, 8))}`;
  const allowed = [...text].filter((character) => !forbidden.test(character)).join('');
  return `A${allowed}z${random.bits32().toString(36)}`;
}

/** The characters that no text of the registry contains. */
const forbidden = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

export function isForbidden(text: string, { manyLines }: { manyLines: boolean }): boolean {
  return forbidden.test(manyLines ? text.replaceAll(/\r\n|\n|\t/g, '') : text);
}

function anyText(random: SeededRandom, length: number): string {
  return Array.from({ length }, () => anyCharacter(random)).join('');
}

function anyCharacter(random: SeededRandom): string {
  const [from, to] = random.pick<readonly [number, number]>([
    [0, 0x20],
    [0x20, 0x7e],
    [0x80, 0x2ff],
    [0x300, 0x36f],
    [0x590, 0x6ff],
    [0x1100, 0x11ff],
    [0x2000, 0x206f],
    [0x4e00, 0x9fff],
    [0xd800, 0xdfff],
    [0xfe00, 0xffff],
    [0x1f300, 0x1faff],
    [0xe0000, 0x10ffff],
  ]);
  return String.fromCodePoint(random.between(from, to));
}
