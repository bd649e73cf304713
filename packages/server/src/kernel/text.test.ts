import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AppUpdate } from '../features/apps/app-schemas.ts';
import { NewDeveloper } from '../features/developers/developer.ts';
import { check } from './check.ts';
import type { ValidationErrorCode } from './problem-details.ts';

/** Validates a text as a field of an app or a developer: the code of its error, or null when it is valid. */
type Validator = (text: string) => ValidationErrorCode | 'several' | null;

const validators = {
  name: ofUpdate((text) => ({ name: text })),
  logoId: ofUpdate((text) => ({ logoId: text })),
  shortDescription: ofUpdate((text) => ({ listingInfo: { shortDescription: text } })),
  longDescription: ofUpdate((text) => ({ listingInfo: { longDescription: text } })),
  backgroundColor: ofUpdate((text) => ({ listingInfo: { backgroundColor: text } })),
  loginUrl: ofUpdate((text) => ({ oauthInfo: { loginUrl: text } })),
  email: ofDeveloper((text) => ({ email: text })),
  firstName: ofDeveloper((text) => ({ email: 'ada@example.com', firstName: text })),
  lastName: ofDeveloper((text) => ({ email: 'ada@example.com', lastName: text })),
} satisfies Record<string, Validator>;

const freeTexts = ['name', 'shortDescription', 'longDescription', 'firstName', 'lastName'] as const;

const forbidden: Record<string, number[]> = {
  'a control character of ASCII': [...range(0x00, 0x08), 0x0b, 0x0c, ...range(0x0e, 0x1f), 0x7f],
  'a control character of Latin-1': range(0x80, 0x9f),
  'a high surrogate alone': [0xd800, 0xd83e, 0xdbff],
  'a low surrogate alone': [0xdc00, 0xdd8a, 0xdfff],
  'a line or paragraph separator': [0x2028, 0x2029],
  'a bidirectional embedding or override': range(0x202a, 0x202e),
  'a bidirectional isolate': range(0x2066, 0x2069),
};

describe('no text may contain', () => {
  for (const [what, codePoints] of Object.entries(forbidden)) {
    test(what, () => {
      for (const codePoint of codePoints) {
        const text = `a${String.fromCodePoint(codePoint)}b`;
        for (const field of freeTexts) {
          assert.equal(validators[field](text), 'invalid_format', `${field} with U+${codePoint.toString(16)}`);
        }
      }
    });
  }
});

describe('a text may contain', () => {
  const allowed = [
    'Ünïcödé',
    '請求書',
    'فاتورة',
    '🦊',
    '👩‍💻',
    'e\u0301',
    'a\u200db',
    'a\u200eb',
    'a\u00a0b',
    '<b>&amp;',
  ];
  for (const text of allowed) {
    test(JSON.stringify(text), () => {
      for (const field of freeTexts) assert.equal(validators[field](text), null, field);
    });
  }

  test('any two surrogates that are a pair', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0x1_0000, max: 0x10_ffff }), (codePoint) => {
        assert.equal(validators.shortDescription(`a${String.fromCodePoint(codePoint)}b`), null);
      }),
    );
  });
});

describe('lines', () => {
  test('are for longDescription alone', () => {
    for (const text of ['a\nb', 'a\r\nb', 'a\tb']) {
      for (const field of freeTexts) {
        assert.equal(validators[field](text), field === 'longDescription' ? null : 'invalid_format', field);
      }
    }
  });

  test('end with LF or CRLF, never with a CR alone', () => {
    assert.equal(validators.longDescription('\r\n\n\r\n\ta\n\n'), null);
    for (const text of ['a\rb', '\r', 'a\r', 'a\n\rb', 'a\r\r\nb', '\u0085']) {
      assert.equal(validators.longDescription(text), 'invalid_format', JSON.stringify(text));
    }
  });

  test('of a long text are validated within a second of processor time, regardless of its end', () => {
    const start = process.cpuUsage();
    assert.equal(validators.longDescription('\r\n\t '.repeat(1000).slice(0, 3999).concat('\r')), 'invalid_format');
    assert.ok(process.cpuUsage(start).user < 1_000_000);
  });
});

describe('lengths', () => {
  const bounds: [field: keyof typeof validators, max: number][] = [
    ['name', 100],
    ['shortDescription', 500],
    ['longDescription', 4000],
    ['firstName', 100],
    ['lastName', 100],
  ];
  for (const [field, max] of bounds) {
    test(`of ${field} are 1 to ${max}`, () => {
      assert.equal(validators[field](''), 'too_short');
      assert.equal(validators[field]('a'), null);
      assert.equal(validators[field]('a'.repeat(max)), null);
      assert.equal(validators[field]('a'.repeat(max + 1)), 'too_long');
    });

    test(`of ${field} count code points: an emoji is one`, () => {
      assert.equal(validators[field]('🦊'.repeat(max)), null);
      assert.equal(validators[field]('🦊'.repeat(max + 1)), 'too_long');
    });
  }

  test('of a logoId are 1 to 100', () => {
    assert.equal(validators.logoId(''), 'too_short');
    assert.equal(validators.logoId('a'.repeat(101)), 'too_long');
  });
});

describe('a name', () => {
  const edges: Record<string, string> = {
    'a space': ' ',
    'a no-break space': '\u00a0',
    'an ideographic space': '\u3000',
    'an Ogham space mark': '\u1680',
    'a zero width space': '\u200b',
    'a zero width joiner': '\u200d',
    'a left-to-right mark': '\u200e',
    'a word joiner': '\u2060',
    'a byte order mark': '\ufeff',
    'a soft hyphen': '\u00ad',
    'a combining grapheme joiner': '\u034f',
    'a Hangul filler': '\u3164',
    'a half-width Hangul filler': '\uffa0',
    'a Mongolian vowel separator': '\u180e',
    'a tag character': '\u{e0041}',
  };
  for (const [what, edge] of Object.entries(edges)) {
    test(`has ${what} at neither end, and does not consist of it`, () => {
      for (const text of [`${edge}Acme`, `Acme${edge}`, edge, edge.repeat(3)]) {
        assert.equal(validators.name(text), 'invalid_format', JSON.stringify(text));
      }
    });

    test(`may contain ${what} between other characters`, () => assert.equal(validators.name(`Ac${edge}me`), null));
  }

  test('may be one visible character', () => {
    for (const text of ['a', '.', '🦊', '請']) assert.equal(validators.name(text), null, text);
  });

  test('is stricter than a description, which may start and end with a space', () => {
    for (const field of ['shortDescription', 'longDescription'] as const) {
      assert.equal(validators[field](' a '), null);
    }
  });
});

describe('a colour', () => {
  test('has three or six hexadecimal digits, in either case', () => {
    for (const text of ['#fff', '#FFF', '#0b5fff', '#0B5Fff', '#000000']) {
      assert.equal(validators.backgroundColor(text), null, text);
    }
  });

  test('is in no other notation of CSS', () => {
    const others = [
      'fff',
      '#',
      '#ff',
      '#ffff',
      '#fffff',
      '#fffffff',
      '#ffffffff',
      '#ggg',
      'white',
      ' #fff',
      '#fff ',
      '#fff\n',
    ];
    for (const text of [
      ...others,
      'rgb(0,0,0)',
      'transparent',
      '＃fff',
      '#ｆｆｆ',
      '#٠٠٠',
      'url(https://example.com/)',
    ]) {
      assert.equal(validators.backgroundColor(text), 'invalid_format', JSON.stringify(text));
    }
  });
});

describe('an email address', () => {
  test('has one @ with text on both sides', () => {
    const accepted = [
      'a@b',
      'ada@example.com',
      'ada+apps@mail.example.com',
      "o'brien@example.com",
      'ädä@bücher.example',
    ];
    for (const text of accepted) assert.equal(validators.email(text), null, text);
    for (const text of ['@example.com', 'ada@', 'ada', 'ada@@example.com', 'a@b@c', '@@@']) {
      assert.equal(validators.email(text), 'invalid_format', text);
    }
  });

  test('has no white space and no character that is forbidden in every text', () => {
    for (const character of [' ', '\t', '\n', '\r', '\0', '\u0085', '\u00a0', '\u2028', '\u202e', '\u3000', '\ud800']) {
      for (const text of [
        `ada${character}@example.com`,
        `${character}ada@example.com`,
        `ada@example.com${character}`,
      ]) {
        assert.equal(validators.email(text), 'invalid_format', JSON.stringify(text));
      }
    }
  });

  test('has 3 to 254 characters', () => {
    const ofLength = (length: number) => `a@${'b'.repeat(length - 2)}`;
    assert.equal(validators.email(ofLength(254)), null);
    assert.equal(validators.email(ofLength(255)), 'too_long');
    assert.equal(validators.email(''), 'too_short');
  });
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
