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
/** Each token as it is written. */
const tokens = new Map(
  [...text.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value.replaceAll(/\s+/g, ' ')]),
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

/** The colour of a token, in light (0) or in dark mode (1). */
function colorOf(name: string, mode: number): string {
  const value = tokens.get(name);
  assert.ok(value, name);
  return resolved(value, mode);
}

/** A colour as CSS writes it: one, that of another token, one for each mode, or a mix. */
function resolved(value: string, mode: number): string {
  const [, of, inner = ''] = /^([\w-]+)\((.*)\)$/.exec(value.trim()) ?? [];
  // At its commas, except for those within parentheses.
  const parts = (inner.match(/(?:[^,(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? []).map((part) => part.trim());
  switch (of) {
    case undefined:
      assert.match(value.trim(), /^#[0-9a-f]{6}$/);
      return value.trim();
    case 'var':
      return colorOf(inner.slice(2), mode);
    case 'light-dark':
      return resolved(parts[mode] ?? '', mode);
    default: {
      const [, of = '', percent] = /^(.*) (\d+)%$/.exec(parts[1] ?? '') ?? [];
      return mixed(resolved(of, mode), resolved(parts[2] ?? '', mode), Number(percent) / 100);
    }
  }
}

/** `color-mix(in srgb, one share, other)`. */
function mixed(one: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [first, second] = [one, other].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round((first ?? 0) * share + (second ?? 0) * (1 - share));
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function ratio(one: string, other: string): number {
  const [first, second] = [one, other].map((hex) => {
    const color = new Color(0, 0, 0, 1);
    color.parseString(hex);
    return color;
  });
  return getContrast(first, second);
}
