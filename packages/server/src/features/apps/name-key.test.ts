import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { nameKey } from './app-content.ts';

/** Names that people would confuse; escapes stand for invisible characters. */
const meeting: [why: string, one: string, other: string][] = [
  ['upper and lower case', 'Invoice Sync', 'INVOICE sync'],
  ['ß and SS', 'Straße', 'STRASSE'],
  ['the capital ẞ and ss', 'STRAẞE', 'strasse'],
  ['the sigma within and at the end of a word', 'ΟΔΟΣ', 'οδοσ'],
  ['dotless ı and I', 'kapı', 'KAPI'],
  ['İ and i with a dot above', 'İzmir', 'i\u0307zmir'],
  ['full width and ASCII', 'Ａｃｍｅ　１', 'acme 1'],
  ['a ligature and its letters', 'ﬁle', 'FILE'],
  ['a letter with an accent, in one and in two code points', 'Café', 'Cafe\u0301'],
  ['a zero width space', 'Ac\u200bme', 'Acme'],
  ['a zero width joiner before an accent', 'Cafe\u200d\u0301', 'Café'],
  ['a soft hyphen', 'Ac\u00adme', 'Acme'],
  ['a variation selector', 'Acme ❤\ufe0f', 'Acme ❤'],
  ['a Hangul filler', 'Acme\u3164Sync', 'AcmeSync'],
  ['a no-break space', 'Invoice\u00a0Sync', 'Invoice Sync'],
  ['Ϊ́ and ΐ, which have no capital of one code point', 'ΜΑΪ́ΟΥ', 'μαΐου'],
];

const apart: [why: string, one: string, other: string][] = [
  ['i and dotted İ, two letters of Turkish', 'Izmir', 'İzmir'],
  ['letters with and without accent', 'Cafe', 'Café'],
  ['one space and two', 'Invoice Sync', 'Invoice  Sync'],
  ['Latin and Cyrillic', 'Acme', 'Асме'],
  ['with and without punctuation', 'Invoice Sync', 'Invoice-Sync'],
];

describe('nameKey', () => {
  for (const [why, one, other] of meeting) {
    test(`is one key for ${why}`, () => assert.equal(nameKey(one), nameKey(other)));
  }

  for (const [why, one, other] of apart) {
    test(`distinguishes ${why}`, () => assert.notEqual(nameKey(one), nameKey(other)));
  }

  // Upper case is only defined for the composed form: in others, U+0345 changes its place among the marks.
  const text = anyText({ maxLength: 20 }).map((name) => name.normalize('NFC'));

  test('is the same for a name in any case, with any letters', () => {
    fc.assert(
      fc.property(text, (name) => {
        assert.equal(nameKey(name.toUpperCase()), nameKey(name));
        assert.equal(nameKey(name.toLowerCase()), nameKey(name));
      }),
      { numRuns: 1000 },
    );
  });

  test('of a key is the key', () => {
    fc.assert(
      fc.property(text, (name) => assert.equal(nameKey(nameKey(name)), nameKey(name))),
      { numRuns: 1000 },
    );
  });

  test('is the same for every letter of Unicode in either case', () => {
    // Of later planes, none has letters in two cases.
    const letters = Array.from({ length: 0x2_0000 }, (_, codePoint) => String.fromCodePoint(codePoint));
    const split = letters.filter((letter) => {
      const key = nameKey(letter);
      return nameKey(letter.toUpperCase()) !== key || nameKey(letter.toLowerCase()) !== key;
    });
    assert.deepEqual(split, []);
  });
});
