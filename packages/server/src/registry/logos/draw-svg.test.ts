import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { Failure } from '../failure.ts';
import { type DrawingLimits, drawImage } from './draw-image.ts';
import { renderLogo } from './logo-image.ts';

const namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const square = '<rect width="64" height="64" fill="red"/>';
const red = [255, 0, 0, 255];
const clear = [0, 0, 0, 0];

const svg = (content: string, size = 'width="64" height="64"') => `<svg ${namespaces} ${size}>${content}</svg>`;

const docType = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';

const laughEntities = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`);
const laughs = `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughEntities.join('')}]>${svg('<desc>&l9;</desc>')}`;

const uses = Array.from(
  { length: 9 },
  (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`,
);
const useBomb = svg(`<defs><rect id="u0" width="1" height="1"/>${uses.join('')}</defs><use href="#u9"/>`);

const filtered = (primitives: string, region = '') =>
  svg(`<filter id="f" ${region}>${primitives}</filter><rect width="64" height="64" filter="url(#f)"/>`);

describe('an SVG comes out as a PNG of 512 by 512 pixels', () => {
  const drawings: [what: string, markup: string][] = [
    ['with a size', svg(square)],
    ['with a view box alone', svg(square, 'viewBox="0 0 64 64"')],
    ['in percent of its view box', svg(square, 'viewBox="0 0 64 64" width="100%" height="100%"')],
    ['that claims 100,000 pixels a side', svg(square, 'viewBox="0 0 64 64" width="100000" height="100000"')],
    ['of a fraction of a pixel', svg(square, 'viewBox="0 0 64 64" width="0.01" height="0.01"')],
    ['after a byte order mark', `\ufeff${svg(square)}`],
    [
      'after a declaration, a comment and a document type',
      `<?xml version="1.0"?>\n<!-- logo -->${docType}${svg(square)}`,
    ],
    [
      'whose elements have a prefix',
      `<s:svg xmlns:s="http://www.w3.org/2000/svg" width="64" height="64"><s:rect width="64" height="64" fill="red"/></s:svg>`,
    ],
    [
      'with a style sheet',
      svg(`<style>@import url("file:///etc/passwd"); rect { fill: red }</style><rect width="64" height="64"/>`),
    ],
    ['with a script, which does not run', svg(`<script>while (true);</script>${square}`)],
    ['that uses itself', svg(`<g id="a">${square}<use href="#a"/></g>${square}`)],
  ];
  for (const [what, markup] of drawings) {
    test(what, async () => {
      const png = await renderLogo(Buffer.from(markup));
      const { format, width, height } = await sharp(png).metadata();
      assert.deepEqual({ format, width, height }, { format: 'png', width: 512, height: 512 });
      const at = await pixels(png);
      for (const [x, y] of [
        [4, 4],
        [508, 508],
      ] as const)
        assert.deepEqual(at(x, y), red);
    });
  }

  test('fitted in the middle, on transparency', async () => {
    const wide = await pixels(await renderLogo(Buffer.from(svg(square, 'width="64" height="32"'))));
    assert.deepEqual([wide(256, 10), wide(256, 256), wide(256, 500)], [clear, red, clear]);
    const tall = await pixels(await renderLogo(Buffer.from(svg(square, 'width="32" height="64"'))));
    assert.deepEqual([tall(10, 256), tall(256, 256), tall(500, 256)], [clear, red, clear]);
    // Drawn at its full width, it would take more memory than exists.
    await renderLogo(Buffer.from(svg(square, 'width="1" height="512"')));
  });

  test('sharp, however small it claims to be', async () => {
    const at = await pixels(
      await renderLogo(Buffer.from(svg('<rect x="1" width="1" height="2" fill="red"/>', 'width="2" height="2"'))),
    );
    assert.deepEqual([at(254, 256), at(257, 256)], [clear, red]);
  });
});

describe('an SVG is refused with the reason', () => {
  const passwd = 'file:///etc/passwd';
  const refusals: [what: string, markup: string, reason: RegExp][] = [
    ['with a thousand million laughs', laughs, /entities/],
    [
      'with a file for an entity',
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "${passwd}">]>${svg('<desc>&x;</desc>')}`,
      /entities/,
    ],
    ['with the image of a file', svg(`<image href="${passwd}"/>`), /contains an image/],
    ['with the image of another host', svg('<image xlink:href="http://127.0.0.1:9/logo.png"/>'), /contains an image/],
    ['with an image inside', svg('<image href="data:image/png;base64,iVBORw0KGgo="/>'), /contains an image/],
    [
      'with an image under a prefix',
      svg('<s:image\nxmlns:s="http://www.w3.org/2000/svg" href="/etc/passwd"/>'),
      /contains an image/,
    ],
    ['with an image in a filter', svg(`<filter id="f"><feImage href="${passwd}"/></filter>`), /contains an image/],
    ['with text', svg('<text y="32">Logo</text>'), /contains text.*to paths/],
    ['that is truncated', svg(square).slice(0, -3), /cannot be read/],
    ['without a size', svg(square, 'width="0" height="0"'), /cannot be read/],
    ['of a million pixels by none', svg(square, 'width="1000000" height="0.001"'), /cannot be read/],
    ['of a thousand million uses', useBomb, /cannot be read/],
    ['of a hundred thousand levels', svg('<g>'.repeat(100_000) + '</g>'.repeat(100_000)), /cannot be read/],
  ];
  for (const [what, markup, reason] of refusals) {
    test(what, () => assertRefused(Buffer.from(markup), reason));
  }

  test('of more than 1 MiB', async () => {
    const filled = (bytes: number) => Buffer.from(svg(square).padEnd(bytes));
    await renderLogo(filled(1_048_576));
    await assertRefused(filled(1_048_577), /at most 1 MiB/);
  });

  test('packed, or in another encoding than UTF-8', async () => {
    await assertRefused(gzipSync(svg(square)), /cannot be read/);
    await assertRefused(Buffer.from(`\ufeff${svg(square)}`, 'utf16le'), /cannot be read/);
    await assertRefused(Buffer.from(svg('<!-- é -->'), 'latin1'), /cannot be read/);
  });
});

describe('an SVG that would take', () => {
  test('years to draw is aborted after some seconds of processor time', async () => {
    const hostile = filtered('<feTurbulence baseFrequency="0.9" numOctaves="100000000"/>');
    await assertRefused(Buffer.from(hostile), /too much time or memory/);
  });

  test('all the memory is aborted', async () => {
    const bomb = filtered(
      Array.from({ length: 40 }, (_, index) => `<feFlood result="r${index}"/>`).join(''),
      'filterUnits="userSpaceOnUse" x="-30000" y="-30000" width="60000" height="60000"',
    );
    await assertRefused(Buffer.from(bomb), /too much time or memory/);
  });

  const expensive = Buffer.from(filtered('<feTurbulence baseFrequency="0.9" numOctaves="4"/>'));
  const cheap = Buffer.from(svg(square));
  const outcome = async (image: Uint8Array, limits?: Partial<DrawingLimits>) =>
    (await drawImage(image, limits)).outcome;

  test('more memory than the limit is aborted, and is drawn with a higher limit', async () => {
    assert.equal(await outcome(expensive, { cpuMs: 60_000, memoryBytes: 2 ** 20 }), 'refused');
    assert.equal(await outcome(expensive, { cpuMs: 60_000, memoryBytes: 2 ** 30 }), 'drawn');
  });

  test('too long blocks neither the program nor later drawings forever', async () => {
    const hostile = Buffer.from(filtered('<feMorphology radius="400"/>'.repeat(1000)));
    assert.deepEqual(await Promise.all([outcome(hostile, { cpuMs: 300 }), outcome(cheap)]), ['refused', 'drawn']);
  });
});

test('no reference to a local file is rendered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svg-'));
  const file = join(folder, 'secret.svg');
  await writeFile(file, svg(`<g id="a">${square}</g>`));
  const markup = svg(
    [
      `<use href="${file}#a"/>`,
      `<use xlink:href="file://${file}#a"/>`,
      `<rect width="64" height="64" fill="none" stroke="url(${file}#a)" stroke-width="64"/>`,
    ].join(''),
  );
  const at = await pixels(await renderLogo(Buffer.from(markup))).finally(() => rm(folder, { recursive: true }));
  assert.deepEqual(at(256, 256), clear);
});

async function assertRefused(image: Uint8Array, detail: RegExp): Promise<void> {
  await assert.rejects(renderLogo(image), (error) => {
    assert.ok(error instanceof Failure && error.code === 'invalid_content', String(error));
    const [validationError, ...others] = error.errors ?? [];
    assert.deepEqual([validationError?.pointer, validationError?.code, others], ['', 'invalid_format', []]);
    assert.match(validationError?.detail ?? '', detail);
    return true;
  });
}

async function pixels(png: Uint8Array): Promise<(x: number, y: number) => number[]> {
  const { data } = await sharp(png).ensureAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return (x, y) => [...data.subarray((y * 512 + x) * 4, (y * 512 + x) * 4 + 4)];
}
