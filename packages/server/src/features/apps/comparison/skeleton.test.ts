import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/any-text.ts';
import { nameKey } from '../app-content.ts';
import confusables from './confusables.json' with { type: 'json' };
import { caselessSkeleton, skeleton, skeletonVersion } from './skeleton.ts';

/** Examples of UTS #39 and of real attacks. Escapes stand for letters that look like Latin ones. */
const alike: [why: string, one: string, other: string][] = [
  ['Cyrillic о and О', 'Micr\u043esoft \u041effice', 'Microsoft Office'],
  ['Cyrillic а', 'p\u0430ypal', 'paypal'],
  ['capitals in Cyrillic', '\u0420\u0410\u0423\u0420\u0410L', 'PayPal'],
  ['a Greek capital whose small letter looks like v', '\u039dOKIA', 'Nokia'],
  ['capitals and small letters', 'MICROSOFT', 'Micr\u043esoft'],
  ['rn and m', 'rnicrosoft', 'Microsoft'],
  ['the capital I and l', 'PaypaI', 'Paypal'],
  ['l among capitals', 'MlCROSOFT', 'Microsoft'],
  ['1, l, I and |', '1lI|', 'llll'],
  ['0 and O', 'G00GLE', 'google'],
  ['fullwidth letters', '\uff27\uff4f\uff4f\uff47\uff4c\uff45', 'Google'],
  ['mathematical letters', '\u{1d4d6}oogle', 'Google'],
  ['a Roman numeral', 'Rocky \u2163', 'Rocky IV'],
  ['a zero width joiner', 'Ac\u200dme', 'Acme'],
  ['spaces', 'Invoice  Sync', 'InvoiceSync'],
  ['an accent in one and in two code points', 'Caf\u00e9', 'Cafe\u0301'],
];

const apart: [why: string, one: string, other: string][] = [
  ['other letters', 'Invoice Sync', 'Invoice Sink'],
  ['letters with and without accent', 'Cafe', 'Café'],
  ['scripts that do not look alike', 'Москва', 'Moskva'],
  ['small letters of Greek and Latin', 'ν', 'n'],
];

describe('caselessSkeleton', () => {
  for (const [why, one, other] of alike) {
    test(`is the same for ${why}`, () => assert.equal(caselessSkeleton(one), caselessSkeleton(other)));
  }

  for (const [why, one, other] of apart) {
    test(`distinguishes ${why}`, () => assert.notEqual(caselessSkeleton(one), caselessSkeleton(other)));
  }

  test('of a skeleton is the skeleton', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 20 }), (text) => {
        const once = caselessSkeleton(text);
        assert.equal(caselessSkeleton(once), once);
      }),
      { numRuns: 1000 },
    );
  });

  test('is the same for every ASCII letter in upper and lower case', () => {
    for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
      assert.equal(caselessSkeleton(letter), caselessSkeleton(nameKey(letter)));
    }
  });

  test('of the skeleton of any character is the skeleton', () => {
    // Except ideographs and private characters from 30000 to dffff and from e0200.
    const codePoints = Array.from({ length: 0x3_0200 }, (_, at) => (at < 0x3_0000 ? at : at + 0xb_0000));
    const skeletons = codePoints.map((codePoint) => caselessSkeleton(String.fromCodePoint(codePoint)));
    assert.deepEqual(
      skeletons.filter((text) => caselessSkeleton(text) !== text),
      [],
    );
  });
});

describe('skeleton', () => {
  test('is that of the prototype for every character of the data that is not composed', () => {
    const text = (codePoints: string) =>
      String.fromCodePoint(...codePoints.split(' ').map((codePoint) => Number.parseInt(codePoint, 16)));
    const pairs = Object.entries(confusables.characters).flatMap(([prototype, characters]) =>
      characters.split(' ').map((character) => [text(character), text(prototype)] as const),
    );
    const whole = pairs.filter(([character]) => character.normalize('NFD') === character);
    assert.ok(whole.length > 5000, `${whole.length} characters`);
    const apartInFact = whole.filter(
      ([character, prototype]) =>
        !/\p{Default_Ignorable_Code_Point}/u.test(character) && skeleton(character) !== skeleton(prototype),
    );
    assert.deepEqual(apartInFact, []);
  });

  test('of a skeleton is the skeleton', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 20 }), (text) => assert.equal(skeleton(skeleton(text)), skeleton(text))),
      { numRuns: 1000 },
    );
  });

  test('keeps the case of letters, as UTS #39 does', () => {
    assert.equal(skeleton('P\u0430yPal 0I'), 'PayPal Ol');
  });

  test('has a version that starts with that of Unicode', () => assert.match(skeletonVersion, /^17\.0\.0\.\d+$/));
});
