import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { drawPixels } from '../../server/src/features/logos/draw-pixels.ts';
import { drawSvg } from '../../server/src/features/logos/draw-svg.ts';
import cases from '../../server/src/features/logos/svg-cases.json' with { type: 'json' };
import { chromiumPath } from './chromium.ts';

const side = 512;
/** Of 255: edges are smoothed differently. */
const differenceMax = 24;
/** Such edges are a small part of an image. */
const differentPixelsMax = (side * side) / 100;

describe('the registry draws an SVG as a browser does', () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    const args = ['--no-sandbox', '--force-color-profile=srgb'];
    browser = await chromium.launch({ executablePath: chromiumPath(), args });
    page = await browser.newPage({ viewport: { width: side, height: side } });
    const style = `body { margin: 0 } img { width: ${side}px; height: ${side}px; object-fit: contain; display: block }`;
    await page.setContent(`<style>${style}</style><img>`);
  });
  after(() => browser.close());

  for (const [name, svg] of Object.entries(cases.drawn)) {
    test(name, async () => {
      const result = drawSvg(svg);
      assert.ok(result.outcome === 'drawn', JSON.stringify(result));
      const logo = await drawPixels(result.png);
      assert.ok(logo.outcome === 'drawn', JSON.stringify(logo));
      await page.locator('img').evaluate(
        async (image: HTMLImageElement, source) => {
          image.src = source;
          await image.decode();
        },
        `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
      );
      const shown = await page.screenshot({ omitBackground: true });
      const count = differentPixels(await pixelsOf(logo.png), await pixelsOf(shown));
      assert.ok(count <= differentPixelsMax, `${count} pixels differ`);
    });
  }
});

function pixelsOf(png: Uint8Array): Promise<Buffer> {
  return sharp(png).ensureAlpha().raw().toBuffer();
}

function differentPixels(one: Buffer, other: Buffer): number {
  let count = 0;
  for (let at = 0; at < one.length; at += 4) {
    const [alpha = 0, otherAlpha = 0] = [one[at + 3], other[at + 3]];
    const differences = [0, 1, 2].map((channel) =>
      Math.abs(((one[at + channel] ?? 0) * alpha - (other[at + channel] ?? 0) * otherAlpha) / 255),
    );
    if (Math.max(...differences, Math.abs(alpha - otherAlpha)) > differenceMax) count += 1;
  }
  return count;
}
