import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AppUpdate } from '../features/apps/app-schemas.ts';
import { NewDeveloper } from '../features/developers/developer.ts';
import { check } from './check.ts';
import type { ValidationErrorCode } from './problem-details.ts';
import { shownOnOneLine } from './text.ts';

test('of a text from elsewhere, what may be shown on one line is left', () => {
  const shown: [text: string, expected: string | undefined][] = [
    ['Grace Hopper', 'Grace Hopper'],
    [' a\0b\u202ec\u2066d\ne\u0085f\ud83d ', 'abcdef'],
    ['\u{1f600}'.repeat(3), '\u{1f600}\u{1f600}'],
    ['\u200b \u3164', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of shown)
    assert.equal(shownOnOneLine(text, expected === undefined ? 9 : [...expected].length), expected);
});

/** Validates a text as a field of an app or a developer: the code of its error, or null when it is valid. */
type Validator = (text: string) => ValidationErrorCode | 'several' | null;

const validators = {
  name: ofUpdate((text) => ({ name: text })),
  logoId: ofUpdate((text) => ({ logoId: text })),
  shortDescription: ofUpdate((text) => ({ listingInfo: { shortDescription: text } })),
  longDescription: ofUpdate((text) => ({ listingInfo: { longDescription: text } })),
  backgroundColor: ofUpdate((text) => ({ listingInfo: { backgroundColor: text } })),
  email: ofDeveloper((text) => ({ email: text })),
  firstName: ofDeveloper((text) => ({ email: 'ada@example.com', firstName: text })),
  lastName: ofDeveloper((text) => ({ email: 'ada@example.com', lastName: text })),
} satisfies Record<string, Validator>;

function assertValid(field: keyof typeof validators, ...texts: string[]): void {
  for (const text of texts) assert.equal(validators[field](text), null, `${field}: ${JSON.stringify(text)}`);
}

function assertMalformed(field: keyof typeof validators, ...texts: string[]): void {
  for (const text of texts)
    assert.equal(validators[field](text), 'invalid_format', `${field}: ${JSON.stringify(text)}`);
}

const freeTexts = ['name', 'shortDescription', 'longDescription', 'firstName', 'lastName'] as const;

const forbidden: Record<string, number[]> = {
  'a control character of ASCII': [...range(0x00, 0x08), 0x0b, 0x0c, ...range(0x0e, 0x1f), 0x7f],
  'a control character of Latin-1': range(0x80, 0x9f),
  'a surrogate alone': [0xd800, 0xd83e, 0xdbff, 0xdc00, 0xdd8a, 0xdfff],
  'a line or paragraph separator': [0x2028, 0x2029],
  'a bidirectional embedding, override or isolate': [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)],
};
for (const [what, codePoints] of Object.entries(forbidden)) {
  test(`no text may contain ${what}`, () => {
    const texts = codePoints.map((codePoint) => `a${String.fromCodePoint(codePoint)}b`);
    for (const field of freeTexts) assertMalformed(field, ...texts);
  });
}

test('a text may contain letters and symbols of any language, and markup', () => {
  const texts = ['Ünïcödé', '請求書', 'فاتورة', '👩‍💻', 'e\u0301', 'a\u200db', 'a\u200eb', 'a\u00a0b', '<b>&amp;'];
  for (const field of freeTexts) assertValid(field, ...texts);
  fc.assert(
    fc.property(fc.integer({ min: 0x1_0000, max: 0x10_ffff }), (codePoint) => {
      assertValid('shortDescription', `a${String.fromCodePoint(codePoint)}b`);
    }),
  );
});

describe('lines', () => {
  test('are for longDescription alone', () => {
    for (const field of freeTexts) {
      const assertField = field === 'longDescription' ? assertValid : assertMalformed;
      assertField(field, 'a\nb', 'a\r\nb', 'a\tb');
    }
  });

  test('end with LF or CRLF, never with a CR alone, however long the text is', () => {
    assertValid('longDescription', '\r\n\n\r\n\ta\n\n');
    const long = '\r\n\t '.repeat(1000).slice(0, 3999).concat('\r');
    assertMalformed('longDescription', 'a\rb', '\r', 'a\r', 'a\n\rb', 'a\r\r\nb', '\u0085', long);
  });
});

const bounds: [field: keyof typeof validators, max: number][] = [
  ['name', 100],
  ['shortDescription', 500],
  ['longDescription', 4000],
  ['firstName', 100],
  ['lastName', 100],
];
for (const [field, max] of bounds) {
  test(`${field} has 1 to ${max} code points: an emoji is one`, () => {
    assert.equal(validators[field](''), 'too_short');
    for (const character of ['a', '🦊']) {
      assertValid(field, character, character.repeat(max));
      assert.equal(validators[field](character.repeat(max + 1)), 'too_long');
    }
  });
}

test('a logoId has 1 to 100 characters, and an email address 3 to 254', () => {
  assert.deepEqual([validators.logoId(''), validators.email('')], ['too_short', 'too_short']);
  assert.equal(validators.logoId('a'.repeat(101)), 'too_long');
  assertValid('email', 'a@b', `a@${'b'.repeat(252)}`);
  assert.equal(validators.email(`a@${'b'.repeat(253)}`), 'too_long');
});

describe('a name', () => {
  const edges: Record<string, string> = {
    'a space': ' ',
    'a no-break space': '\u00a0',
    'an ideographic space': '\u3000',
    'a zero width space': '\u200b',
    'a left-to-right mark': '\u200e',
    'a byte order mark': '\ufeff',
    'a soft hyphen': '\u00ad',
    'a Hangul filler': '\u3164',
    'a half-width Hangul filler': '\uffa0',
  };
  for (const [what, edge] of Object.entries(edges)) {
    test(`has ${what} between other characters only`, () => {
      assertMalformed('name', `${edge}Acme`, `Acme${edge}`, edge, edge.repeat(3));
      assertValid('name', `Ac${edge}me`);
    });
  }

  // Each belongs to the character before it (UAX #29), but is invisible alone.
  const extenders: Record<string, string> = {
    'a zero width joiner': '\u200d',
    'a zero width non-joiner': '\u200c',
    'a combining grapheme joiner': '\u034f',
    'a variation selector': '\ufe0f',
    'a supplementary variation selector': '\u{e0100}',
    'a tag character': '\u{e0041}',
  };
  for (const [what, extender] of Object.entries(extenders)) {
    test(`has ${what} after a visible character only`, () => {
      assertMalformed('name', `${extender}Acme`, `Acme ${extender}`, ` ${extender}Acme`, extender, extender.repeat(3));
      assertValid('name', `Ac${extender}me`, `Acme${extender}`, `Acme${extender.repeat(3)}`);
    });
  }

  test('may start and end with any emoji, flag or letter with a joiner', () => {
    const clusters = ['❤️', '☎️', '1️⃣', '👩‍💻', '🏳️‍🌈', '🇬🇷', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'];
    const letters = ['ക്\u200d', 'ക്\u200c', 'ර්\u200d', 'क्\u200d', 'ه\u200d', 'می\u200c', '葛\u{e0100}', 'ᠮ\u180b'];
    for (const cluster of [...clusters, ...letters]) assertValid('name', cluster, `Acme ${cluster}`, `${cluster} Acme`);
  });

  test('may be one visible character, and is stricter than a description, which may start and end with a space', () => {
    assertValid('name', 'a', '.', '🦊', '請');
    assertValid('shortDescription', ' a ');
    assertValid('longDescription', ' a ');
  });
});

test('a colour has three or six hexadecimal digits, in either case, and no other notation of CSS', () => {
  assertValid('backgroundColor', '#fff', '#FFF', '#0b5fff', '#0B5Fff');
  assertMalformed('backgroundColor', 'fff', '#', '#ff', '#ffff', '#fffff', '#fffffff', '#ffffffff', '#ggg', 'white');
  assertMalformed('backgroundColor', ' #fff', '#fff ', '#fff\n', 'rgb(0,0,0)', '＃fff', '#ｆｆｆ', '#٠٠٠');
});

test('an email address has one @ with text on both sides, no white space and no forbidden character', () => {
  assertValid('email', 'ada+apps@mail.example.com', "o'brien@example.com", 'ädä@bücher.example');
  assertMalformed('email', '@example.com', 'ada@', 'ada', 'ada@@example.com', 'a@b@c');
  for (const character of [' ', '\t', '\n', '\r', '\0', '\u0085', '\u00a0', '\u2028', '\u202e', '\u3000', '\ud800']) {
    assertMalformed('email', `a${character}a@example.com`, `${character}a@example.com`, `a@example.com${character}`);
  }
});

function ofUpdate(body: (text: string) => object): Validator {
  return (text) => codeOf(check(AppUpdate, body(text)));
}

function ofDeveloper(developer: (text: string) => object): Validator {
  return (text) => codeOf(check(NewDeveloper, developer(text)));
}

function codeOf(errors: { code: ValidationErrorCode }[] | null): ReturnType<Validator> {
  if (!errors) return null;
  return errors.length === 1 ? (errors[0]?.code ?? null) : 'several';
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
