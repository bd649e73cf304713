import type { Element } from 'domhandler';
import { childElements } from './svg-document.ts';
import { readColor } from './svg-values.ts';

/** Colours between two stops: as many as make their steps invisible. */
const stepsCount = 16;
const modernColor = /^(color|color-mix|oklch|oklab|lab|lch)\(/i;

/** Whether browsers mix this colour of a stop in Oklab instead of sRGB. */
export function isModernColor(color: string): boolean {
  return modernColor.test(color);
}

/** Adds the colours that browsers show between the stops of a gradient with modern colours; the renderer mixes in sRGB alone. */
export function addSteps(gradient: Element, modern: ReadonlyMap<Element, string>): void {
  const stops = childElements(gradient).filter(({ name }) => name === 'stop');
  gradient.children = stops.flatMap((stop, at) => {
    const next = stops[at + 1];
    return next ? [stop, ...stepsBetween(stop, next, modern)] : [stop];
  });
}

function stepsBetween(one: Element, other: Element, modern: ReadonlyMap<Element, string>): Element[] {
  const [from, to] = [one, other].map(offsetOf);
  if (from === undefined || to === undefined || to <= from) return [];
  const [start, end] = [one, other].map((stop) => colorOf(stop, modern.get(stop)));
  return Array.from({ length: stepsCount - 1 }, (_, index) => {
    const part = (index + 1) / stepsCount;
    const mixed = `color-mix(in oklab, ${start} ${100 - part * 100}%, ${end})`;
    const step = one.cloneNode();
    step.attribs = { offset: String(from + part * (to - from)), 'stop-color': readColor(mixed, 'stop-color') ?? '' };
    step.parent = one.parent;
    return step;
  });
}

function offsetOf({ attribs: { offset = '0' } }: Element): number {
  const value = Number.parseFloat(offset) / (offset.trim().endsWith('%') ? 100 : 1);
  return Math.min(Math.max(value || 0, 0), 1);
}

function colorOf({ attribs }: Element, modern: string | undefined): string {
  const { 'stop-color': color = '#000', 'stop-opacity': opacity = '1' } = attribs;
  return `oklab(from ${modern ?? color} l a b / calc(alpha * ${opacity}))`;
}
