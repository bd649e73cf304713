import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tokenKinds } from '../../kernel/registry.ts';
import { hashOfToken, isTokenText, newTokenText } from './access-token.ts';

const kind = fc.constantFrom(...tokenKinds);
const digit = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

test('a token names its kind and has the shape that secret scanners recognise', () => {
  for (const kind of tokenKinds) {
    const text = newTokenText(kind);
    assert.match(text, new RegExp(`^appreg_${kind}_[0-9A-Za-z]{39}$`));
    assert.ok(isTokenText(text));
  }
});

test('the checksum is the CRC-32 of the preceding text, in base 62', () => {
  // Of 33 zeros, computed by another implementation: 0x1f897fc8.
  assert.ok(isTokenText(`appreg_platform_${'0'.repeat(33)}0Zo4L2`));
  assert.ok(!isTokenText(`appreg_platform_${'0'.repeat(33)}0Zo4L3`));
});

test('no two tokens are alike', () => {
  const texts = Array.from({ length: 1000 }, () => newTokenText('platform').slice('appreg_platform_'.length));
  assert.equal(new Set(texts).size, 1000);
  // 192 random bits fill 33 digits except a part of the first one, so every other digit takes all values.
  for (let position = 1; position < 33; position += 1) {
    assert.ok(new Set(texts.map((text) => text[position])).size > 55, `position ${position}`);
  }
});

test('one wrong character is detected', () => {
  fc.assert(
    fc.property(kind, fc.nat(38), digit, (kind, position, typed) => {
      const text = newTokenText(kind);
      const at = text.length - 39 + position;
      fc.pre(text[at] !== typed);
      assert.ok(!isTokenText(text.slice(0, at) + typed + text.slice(at + 1)));
    }),
    { numRuns: 2000 },
  );
});

test('two swapped characters are detected', () => {
  fc.assert(
    fc.property(kind, fc.nat(37), (kind, position) => {
      const text = newTokenText(kind);
      const at = text.length - 39 + position;
      const [one = '', other = ''] = [text[at], text[at + 1]];
      fc.pre(one !== other);
      assert.ok(!isTokenText(text.slice(0, at) + other + one + text.slice(at + 2)));
    }),
    { numRuns: 2000 },
  );
});

test('a token of one kind is not accepted as another kind', () => {
  const text = newTokenText('developer');
  assert.ok(!isTokenText(text.replace('developer', 'operator')));
});

test('other texts are not tokens', () => {
  const text = newTokenText('platform');
  for (const other of [
    '',
    'appreg_',
    text.slice(1),
    text.slice(0, -1),
    `${text}0`,
    ` ${text}`,
    `${text}\n`,
    text.toUpperCase(),
  ]) {
    assert.ok(!isTokenText(other), other);
  }
});

test('the hash is a SHA-256 in hexadecimal', () => {
  assert.equal(hashOfToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
