import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { type DrawingLimits, drawImage } from './draw-image.ts';

const noise = (octaves: number) => `<feTurbulence baseFrequency="0.9" numOctaves="${octaves}"/>`;

const filtered = (primitives: string, region = '') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">
      <filter id="f" ${region}>${primitives}</filter><rect width="64" height="64" filter="url(#f)"/>
    </svg>`,
  );

const outcome = async (image: Uint8Array, limits?: Partial<DrawingLimits>) => (await drawImage(image, limits)).outcome;

test('an SVG that would take years to draw is aborted while it is drawn', async () => {
  assert.equal(await outcome(filtered(noise(100_000_000)), { cpuMs: 1_000 }), 'refused');
});

test('an SVG that would take all the memory is aborted', async () => {
  const floods = Array.from({ length: 40 }, (_, index) => `<feFlood result="r${index}"/>`).join('');
  const region = 'filterUnits="userSpaceOnUse" x="-30000" y="-30000" width="60000" height="60000"';
  assert.equal(await outcome(filtered(floods, region)), 'refused');
});

test('the largest images are drawn within the limits', async () => {
  const largest = sharp({ create: { width: 4096, height: 4096, channels: 3, background: 'red' } });
  for (const image of [await largest.clone().jpeg().toBuffer(), await largest.webp().toBuffer(), filtered(noise(4))])
    assert.equal(await outcome(image), 'drawn');
});
