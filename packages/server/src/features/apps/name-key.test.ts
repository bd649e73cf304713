import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { nameKey, searchKey } from './app-content.ts';

/** Names that people would confuse; escapes stand for invisible characters. */
const meeting: [why: string, one: string, other: string][] = [
  ['upper and lower case', 'Invoice Sync', 'INVOICE sync'],
  ['ß and SS', 'Straße', 'STRASSE'],
  ['the capital ẞ and ss', 'STRAẞE', 'strasse'],
  ['the sigma within and at the end of a word', 'ΟΔΟΣ', 'οδοσ'],
  ['a final sigma and any other', 'Προσφορές', 'ΠΡΟΣΦΟΡΈΣ'],
  ['a final sigma and the one within a longer word', 'πρός', 'πρόσ'],
  ['an iota below before another mark', 'ῳ̂', 'Ω̂Ι'],
  ['marks in another order', 'a\u0323\u0301', 'a\u0301\u0323'],
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

  // Case is only folded after decomposition: U+0345 becomes a letter, after which marks are not ordered.
  const text = anyText({ maxLength: 20 }).map((name) => name.normalize('NFD'));

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

  test('is the same for canonically equivalent names', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 20 }), (name) => {
        for (const form of ['NFC', 'NFD']) assert.equal(nameKey(name.normalize(form)), nameKey(name));
      }),
      { numRuns: 1000 },
    );
  });

  test('of what a name starts with is what the key of the name starts with', () => {
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const words = fc.string({
      unit: fc.constantFrom(...'aÉßẞςσΣ ῳΩΐİıﬁ発が한ї', 'e\u0301', 'ῳ̂', '👩‍💻'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(words, (name) => {
        const clusters = [...graphemes.segment(name)].map(({ segment }) => segment);
        for (const [at] of clusters.entries()) {
          const start = clusters.slice(0, at).join('');
          assert.ok(nameKey(name).startsWith(nameKey(start)), JSON.stringify([name, start]));
          assert.ok(searchKey(name).startsWith(searchKey(start)), JSON.stringify([name, start]));
        }
      }),
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

describe('searchKey', () => {
  for (const [one, other] of [
    ['Café', 'CAFE'],
    ['Crème brûlée', 'creme brulee'],
    ['Προσφορές', 'προσφορεσ'],
    ['Łódź Malmø Ærø', 'lodz malmo aero'],
    ['Đà Nẵng', 'da nang'],
    ['Олексій Ёж', 'олексіи еж'],
    ['İstanbul', 'istanbul'],
    ['أحمد', 'احمد'],
    ['Straße', 'STRASSE'],
  ] as const) {
    test(`is one key for ${one} and ${other}`, () => assert.equal(searchKey(one), searchKey(other)));
  }

  for (const [one, other] of [
    ['か', 'が'],
    ['क', 'कि'],
    ['กิ', 'กา'],
    ['하', '한'],
  ] as const) {
    test(`distinguishes ${one} and ${other}`, () => assert.notEqual(searchKey(one), searchKey(other)));
  }

  test('of a key is the key', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 20 }), (text) => assert.equal(searchKey(searchKey(text)), searchKey(text))),
      { numRuns: 1000 },
    );
  });
});
