import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type TextPart, type TextUnit, textDifference } from './text-difference.ts';

/** A difference on one line: `[-removed-]` and `{+added+}`. */
const written = (parts: TextPart[]) =>
  parts.map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`)).join('');
const words = (earlier: string, later: string) => written(textDifference(earlier, later, 'word'));
const graphemes = (earlier: string, later: string) => written(textDifference(earlier, later, 'grapheme'));

test('only the words that have changed are marked', () => {
  assert.equal(
    words('Copies every invoice to your ledger within a minute.', 'Copies every bill to your ledger within an hour.'),
    'Copies every [-invoice-]{+bill+} to your ledger within [-a minute-]{+an hour+}.',
  );
  assert.equal(words('One line.\n\nAnother line.', 'One line.\nAnother line.'), 'One line.\n[-\n-]Another line.');
  assert.equal(words('Nothing to do.', 'Nothing to do.'), 'Nothing to do.');
});

test('words are found in scripts without spaces, and right-to-left words stay whole', () => {
  assert.equal(words('请求已经发送到服务器', '请求已经保存到服务器'), '请求已经[-发送-]{+保存+}到服务器');
  assert.equal(words('שלום לכל העולם הגדול', 'שלום לכל העולם הקטן'), 'שלום לכל העולם [-הגדול-]{+הקטן+}');
});

test('in a name single characters are marked, as people count them', () => {
  assert.equal(graphemes('PayPal', 'PayPaI'), 'PayPa[-l-]{+I+}');
  assert.equal(graphemes('PayPal', 'Pay\u200bPal'), 'Pay{+\u200b+}Pal');
  assert.equal(graphemes('Team 👩‍👩‍👧', 'Team 👩‍👩‍👦'), 'Team [-👩‍👩‍👧-]{+👩‍👩‍👦+}');
});

test('texts with little in common, and texts too long to compare, replace each other as a whole', () => {
  assert.equal(graphemes('Invoice Sync', 'Party Planner'), '[-Invoice Sync-]{+Party Planner+}');
  assert.equal(words('The old text.', 'A new one!'), '[-The old text.-]{+A new one!+}');
  const long = (word: string) => Array.from({ length: 10_000 }, (_, at) => `${word}${at}`).join(' ');
  assert.equal(textDifference(long('a'), long('b'), 'word').length, 2);
  assert.equal(textDifference(long('a'), `${long('a')} b`, 'word').length, 2, 'the end of a long text');
});

/** Texts of the same few pieces have something in common; among them are those that are easily torn apart. */
const pieces = [
  'the ',
  'word',
  ' ',
  ', ',
  '\n',
  '请求',
  'مرحبا ',
  '👩‍👩‍👧',
  '🇺🇦',
  '🇩🇪',
  'e\u0301',
  'नि',
  '\u200b',
  '각',
  '\r\n',
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((chosen) => chosen.join(''));
const unit = fc.constantFrom<TextUnit>('word', 'grapheme');
const without = (parts: TextPart[], kind: TextPart['kind']) =>
  parts.map((part) => (part.kind === kind ? '' : part.text)).join('');

test('any difference contains both texts exactly, without empty parts', () => {
  fc.assert(
    fc.property(text, text, unit, (earlier, later, by) => {
      const parts = textDifference(earlier, later, by);
      assert.equal(without(parts, 'added'), earlier);
      assert.equal(without(parts, 'removed'), later);
      assert.ok(parts.every((part) => part.text !== ''));
    }),
  );
});

test('no difference splits a character', () => {
  const countOf = (value: string) => [...new Intl.Segmenter().segment(value)].length;
  fc.assert(
    fc.property(text, text, unit, (earlier, later, by) => {
      const parts = textDifference(earlier, later, by);
      for (const [kind, whole] of [
        ['added', earlier],
        ['removed', later],
      ] as const) {
        const counts = parts.map((part) => (part.kind === kind ? 0 : countOf(part.text)));
        assert.equal(
          counts.reduce((sum, count) => sum + count, 0),
          countOf(whole),
        );
      }
    }),
  );
});

test('the same text has no changes, and two changes never touch', () => {
  fc.assert(
    fc.property(text, text, unit, (earlier, later, by) => {
      assert.ok(textDifference(earlier, earlier, by).every(({ kind }) => kind === 'same'));
      const kinds = textDifference(earlier, later, by).map(({ kind }) => kind.charAt(0));
      assert.doesNotMatch(kinds.join(''), /ss|rr|aa|ar/);
    }),
  );
});
