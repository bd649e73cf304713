import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import axe from 'axe-core';

interface AxeColor {
  parseString: (color: string) => void;
}
/** The types of axe leave out what it measures contrast with. */
interface ColorCommons {
  color: {
    Color: new (red: number, green: number, blue: number, alpha: number) => AxeColor;
    getContrast: (one: AxeColor | undefined, other: AxeColor | undefined) => number;
  };
}
const { Color, getContrast } = (axe.commons as unknown as ColorCommons).color;
const text = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
/** Each colour, in light and in dark mode. */
const colors = new Map(
  [...text.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [light, dark]],
  ),
);

const grounds = ['ground', 'canvas', 'raised', 'soft', 'chosen'];

test('every text colour can be read on every ground, in light and in dark mode (WCAG 2.2, 1.4.3)', () => {
  for (const ground of grounds) {
    for (const color of ['text', 'faint', 'link']) assertContrast(color, ground, 4.5);
  }
  for (const state of ['good', 'bad', 'warn']) {
    assertContrast(state, `${state}-ground`, 4.5);
    assertContrast('text', `${state}-ground`, 4.5);
  }
});

test('white text can be read on buttons (WCAG 2.2, 1.4.3)', () => {
  for (const ground of ['first', 'first-over', 'danger'])
    for (const mode of [0, 1]) assert.ok(ratio('#ffffff', colorOf(ground, mode)) >= 4.5, ground);
});

test('the edges of fields, and what has the focus, stand out (WCAG 2.2, 1.4.11)', () => {
  for (const ground of ['ground', 'canvas', 'raised']) {
    for (const color of ['edge', 'link']) assertContrast(color, ground, 3);
  }
});

function assertContrast(color: string, ground: string, min: number): void {
  for (const mode of [0, 1]) {
    const measured = ratio(colorOf(color, mode), colorOf(ground, mode));
    assert.ok(measured >= min, `--${color} on --${ground}, ${mode ? 'dark' : 'light'}: ${measured}`);
  }
}

function colorOf(name: string, mode: number): string {
  const color = colors.get(name)?.[mode];
  assert.ok(color, name);
  return color;
}

function ratio(one: string, other: string): number {
  const [first, second] = [one, other].map((hex) => {
    const color = new Color(0, 0, 0, 1);
    color.parseString(hex);
    return color;
  });
  return getContrast(first, second);
}
