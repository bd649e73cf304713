import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** The least width and height of what a finger hits (WCAG 2.2, 2.5.8). */
const targetPxMin = 24;

/** Nothing is wider than the window, and a finger hits everything that can be pressed. */
export async function assertFitsPhone(page: Page): Promise<void> {
  const [width, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.equal(width, window);
  assert.deepEqual(await page.evaluate(smallTargets, targetPxMin), []);
}

/** In the browser: what can be pressed and is smaller than that. A link within a sentence may be. */
function smallTargets(min: number): string[] {
  const targets = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')];
  const small = targets.filter((target) => {
    const isInText = target.matches(':is(p, li, dd) a') && target.parentElement?.textContent !== target.textContent;
    const { width, height } = (target.closest('label') ?? target).getBoundingClientRect();
    return target.checkVisibility() && !isInText && !target.matches('.skip') && Math.min(width, height) < min;
  });
  return small.map((target) => `${target.getBoundingClientRect().height}: ${target.outerHTML}`);
}
