import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accentProblem, contrast, hexColor } from './accent.ts';

test('contrast is that of WCAG', () => {
  for (const [one, other, expected] of [
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#ff0000', '#ffffff', 4],
    ['#3f57d4', '#111418', 3.1],
  ] as const) {
    const measured = contrast(one, other);
    assert.ok(Math.abs(measured - expected) < 0.05, `${one} on ${other}: ${measured}`);
  }
});

test('an accent that cannot be read is refused with its contrast and the nearest shade that can', () => {
  assert.equal(accentProblem('#3f57d4'), null);
  assert.equal(
    accentProblem('#0a84ff'),
    'be a darker colour, such as #086dd3: white text on it has a contrast of 3.64:1 with #0a84ff, and needs 4.5:1',
  );
  assert.match(
    accentProblem('#003366') ?? '',
    /^be a lighter colour, such as #[0-9a-f]{6}: it as a button on black has/,
  );
  assert.match(accentProblem('#3b68e0') ?? '', /on light grey/);
});

test('for every colour, the shade that an error names is accepted', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(color, (given) => {
      const [, named] = /such as (#\S{6}):/.exec(accentProblem(given) ?? '') ?? [];
      assert.equal(named === undefined ? null : accentProblem(named), null);
    }),
    { numRuns: 2_000 },
  );
});

test('a colour has three or six hexadecimal digits', () => {
  assert.deepEqual(['#3F57D4', '#36c'].map(hexColor), ['#3f57d4', '#3366cc']);
  for (const text of ['3f57d4', '#3f57d', '#3f57d4ff', 'blue', '#ggg', '#36c ']) assert.equal(hexColor(text), null);
});
