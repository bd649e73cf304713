import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

const desktop = { width: 1_440, height: 900 };
/** The width at which WCAG 1.4.10 demands that nothing scrolls in two directions. */
const narrow = { width: 320, height: 640 };

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const pages = [
  { of: 'the public listener', address: () => `${fixture.publicAddress}docs`, viewport: desktop, anchor: 'name_taken' },
  { of: 'the operator listener', address: () => `${fixture.address}docs`, viewport: narrow, anchor: 'invalid_content' },
  { of: 'a resource', address: () => `${fixture.address}docs/apps`, viewport: narrow, anchor: 'operatorapp' },
];

for (const { of, address, viewport, anchor } of pages) {
  const opened = async (size: typeof desktop, fragment = '') => {
    const page = await fixture.newWindow({ viewport: size });
    await page.goto(`${address()}${fragment}`);
    return page;
  };

  test(`the reference of ${of} is accessible at ${viewport.width} px in light and dark, also where a link leads into it`, async () => {
    const page = await opened(viewport, `#${anchor}`);
    await page.evaluate(thinOut);
    await assertAccessible(page);
  });

  test(`the reference of ${of} scrolls in one direction on the narrowest screen, but its wide tables by keyboard, each with its own name`, async () => {
    const page = await opened(narrow);
    assert.deepEqual(await page.evaluate(wideElements), []);
    const scrolling = page.getByRole('group');
    const names = await scrolling.evaluateAll((groups) => groups.map((group) => group.getAttribute('aria-label')));
    assert.equal(new Set(names).size, names.length);
    const wide = await scrolling.evaluateAll((groups) => groups.findIndex((one) => one.scrollWidth > one.clientWidth));
    await scrolling.nth(wide).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => (document.activeElement?.scrollLeft ?? 0) > 0);
  });

  test(`the reference of ${of} has headings that skip no level, contents that lead to each section, and a link that skips them`, async () => {
    const page = await opened(desktop);
    await page.getByRole('banner').waitFor();
    const contents = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
    const hrefs = await contents.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const [ids, levels] = await page.evaluate(
      () =>
        [
          [...document.querySelectorAll('main h2')].map(({ id }) => id),
          [...document.querySelectorAll('main :is(h1, h2, h3, h4, h5, h6)')].map(({ tagName }) => Number(tagName[1])),
        ] as const,
    );
    assert.ok(ids.length >= 2);
    assert.deepEqual(
      ids.filter((id) => !hrefs.includes(`#${id}`)),
      [],
    );
    assert.deepEqual(
      levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1),
      [],
    );
    assert.deepEqual(await page.evaluate(brokenAnchors), []);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');
  });
}

/** Leaves a few of what is rendered alike: the contrast of 50,000 elements takes minutes to check. */
function thinOut(): void {
  const perKindMax = 2;
  const rowsOrItems = ':is(tbody, ul, ol) > :nth-child(n + 4):not(:has(:target))';
  for (const one of document.querySelectorAll(`nav li li:nth-child(n + 4), main ${rowsOrItems}`)) one.remove();
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
