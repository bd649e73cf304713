import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Tab reaches every stop once, in the order of the page, with a visible focus. */
export async function assertReachable(page: Page): Promise<void> {
  const count = await page.evaluate(markStops);
  const reached: string[] = [];
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let presses = 0; presses < 4 * count + 40 && reached.length < count; presses += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(whereFocusIs);
    if (at !== undefined && at !== reached.at(-1) && (reached.length > 0 || at.startsWith('0 '))) reached.push(at);
  }
  assert.deepEqual(
    reached,
    Array.from({ length: count }, (_, at) => `${at} visible`),
  );
}

/** In the browser: numbers the elements that Tab must stop at; of a radio group only the checked one. */
function markStops(): number {
  // A modal dialog keeps the focus.
  const reachable = document.querySelector('dialog:modal') ?? document;
  const stops = [
    ...reachable.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
  ].filter(
    (element) =>
      element.checkVisibility() && !element.matches(':disabled') && !element.matches('[type="radio"]:not(:checked)'),
  );
  for (const [at, element] of stops.entries()) element.setAttribute('data-stop', String(at));
  return stops.length;
}

/** In the browser: the stop that has the focus, and whether the focus is visible. */
function whereFocusIs(): string | undefined {
  const element = document.activeElement;
  const stop = element?.getAttribute('data-stop');
  if (!element || stop === null || stop === undefined) return undefined;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom } = element.getBoundingClientRect();
  const isVisible = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0 && bottom > 0 && top < innerHeight;
  return `${stop} ${isVisible ? 'visible' : `not visible: ${element.outerHTML}`}`;
}
