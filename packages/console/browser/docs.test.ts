import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
/** The width at which WCAG 1.4.10 demands that nothing scrolls in two directions. */
const narrow = { width: 320, height: 640 };

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const listeners: Record<string, () => string> = {
  public: () => fixture.publicAddress,
  operator: () => fixture.address,
};

for (const [listener, address] of Object.entries(listeners)) {
  describe(`the reference of the ${listener} listener`, () => {
    const opened = async (viewport = desktop, anchor = '') => {
      const page = await fixture.newWindow({ viewport });
      await page.goto(`${address()}docs${anchor}`);
      return page;
    };

    for (const viewport of [desktop, phone]) {
      test(`is accessible at ${viewport.width} px in light and dark, and where a link leads into it`, async () => {
        const page = await opened(viewport, '#invalid_content');
        await page.evaluate(thinOut);
        await assertAccessible(page);
        await page.context().close();
      });
    }

    test('scrolls in one direction on the narrowest screen', async () => {
      const page = await opened(narrow);
      assert.deepEqual(await page.evaluate(wideElements), []);
      await page.context().close();
    });

    test('has a banner, contents that lead to each section, and a link that skips them', async () => {
      const page = await opened();
      await page.getByRole('banner').waitFor();
      const contents = page.getByRole('navigation', { name: 'Contents' });
      const sections = await page.getByRole('main').getByRole('heading', { level: 2 }).all();
      assert.ok(sections.length >= 9);
      const hrefs = await contents.getByRole('link').evaluateAll((links) => links.map((a) => a.getAttribute('href')));
      for (const section of sections) assert.ok(hrefs.includes(`#${await section.getAttribute('id')}`));
      assert.deepEqual(await page.evaluate(brokenAnchors), []);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await focusedElement(page), 'content');
      await page.context().close();
    });

    test('has headings that skip no level, and wide tables that scroll by keyboard, each with its own name', async () => {
      const page = await opened(phone);
      const levels = await page.evaluate(() =>
        [...document.querySelectorAll('main :is(h1, h2, h3, h4, h5, h6)')].map(({ tagName }) => Number(tagName[1])),
      );
      assert.deepEqual(
        levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1),
        [],
      );
      const scrolling = page.getByRole('group');
      const names = await scrolling.evaluateAll((groups) => groups.map((group) => group.getAttribute('aria-label')));
      assert.equal(new Set(names).size, names.length);
      const wide = await scrolling.evaluateAll((groups) =>
        groups.findIndex((one) => one.scrollWidth > one.clientWidth),
      );
      await scrolling.nth(wide).focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(() => (document.activeElement?.scrollLeft ?? 0) > 0);
      await page.context().close();
    });
  });
}

/** Leaves a few of what is rendered alike: the contrast of 50,000 elements takes minutes to check. */
function thinOut(): void {
  const perKindMax = 6;
  const rowsOrItems = ':is(tbody, ul, ol) > :nth-child(n + 8):not(:has(:target))';
  for (const one of document.querySelectorAll(`nav li li:nth-child(n + 8), main ${rowsOrItems}`)) one.remove();
  const kinds = new Map<string, number>();
  for (const block of document.querySelectorAll('main > *:not(:has(:target))')) {
    const kind = `${block.tagName} ${block.firstElementChild?.tagName} ${block.children.length > 1}`;
    const count = (kinds.get(kind) ?? 0) + 1;
    kinds.set(kind, count);
    if (count > perKindMax && !/^H[1-3]$/.test(block.tagName)) block.remove();
  }
}

function wideElements(): string[] {
  return document.documentElement.scrollWidth <= innerWidth
    ? []
    : [...document.querySelectorAll('body *')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth && !one.closest('.scroll'))
        .map((one) => one.outerHTML.slice(0, 120));
}

function brokenAnchors(): string[] {
  return [...document.querySelectorAll('a[href^="#"]')]
    .map((a) => decodeURIComponent(a.getAttribute('href')?.slice(1) ?? ''))
    .filter((id) => document.getElementById(id) === null);
}

function focusedElement(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.id);
}
