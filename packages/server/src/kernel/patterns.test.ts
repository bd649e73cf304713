import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { textFormats } from './text.ts';

const characters = [...'aZ0#@.:-_ é🦊\u3164\ufeff\u00a0\u200d\ufe0f\u0301'];
const controls = ['\t', '\n', '\r', '\r\n', '\0', '\u0085', '\u2028', '\u202e', '\ud83e'];
const text = fc.string({ unit: fc.constantFrom(...characters, ...controls), maxLength: 12 });
const plainText = fc.string({ unit: fc.constantFrom(...characters), maxLength: 6 });
const urlText = fc.string({
  unit: fc.constantFrom('a', 'B', '.', '-', ':', '8', '[::1]', '/', '?', '%20'),
  maxLength: 9,
});

/** Values that are often valid, of each format. */
const values: Record<string, fc.Arbitrary<string>> = {
  'single-line': text,
  'multi-line': text,
  reason: text,
  'app-name': fc.oneof(text, plainText),
  code: fc.stringMatching(/^[a-c_0-2]{1,4}$/),
  color: fc.stringMatching(/^#[0-9a-fA-F]{3,6}$/),
  email: fc.tuple(plainText, fc.constantFrom('@', 'a@b'), plainText).map((parts) => parts.join('')),
  'web-address': urlsOf('https://', 'http://localhost', 'http://127.0.0.1', 'http://[::1]'),
  'http-address': urlsOf('https://', 'http://'),
};

const wrong: Record<string, string[]> = {
  'single-line': ['two\nlines', 'a\u0000', 'a\u0085'],
  'multi-line': ['a\rb', 'a\u0007'],
  reason: [' \n ', '', 'a\u0000'],
  'app-name': [' Invoice Sync', 'Invoice Sync ', 'Invoice\nSync', ''],
  code: ['Broken', '1st', 'a-b', ''],
  color: ['red', '#12', '#12345', '0b5fff', '#0b5fff;'],
  email: ['ada', 'ada@', '@example.com', 'a da@example.com', 'a@b@c'],
  'web-address': ['javascript:alert(1)', 'http://example.com/', 'example.com', 'https://a@b/', 'https://a/#b', '//a'],
  'http-address': ['javascript:alert(1)', 'ftp://example.com/', 'https://exam ple.com/', 'https://bücher.example/'],
};

for (const [name, { pattern, validate }] of Object.entries(textFormats)) {
  describe(`the pattern of ${name}`, () => {
    // Generated clients compile patterns in both ways.
    const compiled = [new RegExp(pattern, 'u'), new RegExp(pattern)];

    test('matches everything that the registry accepts', () => {
      let accepted = 0;
      const value = values[name] ?? assert.fail('no values');
      fc.assert(
        fc.property(value, (text) => {
          if (text === '' || !validate(text)) return;
          accepted += 1;
          for (const regExp of compiled) assert.match(text, regExp);
        }),
        { numRuns: 2_000 },
      );
      assert.ok(accepted > 50, `${accepted} values were valid`);
    });

    test('does not match what it recognises as wrong', () => {
      const texts = wrong[name] ?? assert.fail('no texts');
      for (const text of texts) {
        for (const regExp of compiled) assert.doesNotMatch(text, regExp);
      }
    });

    test('decides about a long text at all, regardless of its end', () => {
      for (const part of [' ', 'a ', '\r\n\t ', 'https://a', '%20/', '@a']) {
        for (const regExp of compiled) assert.doesNotMatch(`a${part.repeat(1_000)}\u0000`, regExp);
      }
    });
  });
}

function urlsOf(...starts: string[]): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom(...starts), urlText).map((parts) => parts.join(''));
}
