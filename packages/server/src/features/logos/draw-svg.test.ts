import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { asMarkup, drawPixels } from './draw-pixels.ts';
import { drawSvg } from './draw-svg.ts';
import cases from './svg-cases.json' with { type: 'json' };

const namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const square = '<rect width="64" height="64" fill="red"/>';
const red = [255, 0, 0, 255];
const clear = [0, 0, 0, 0];

const svg = (content: string, size = 'width="64" height="64"') => `<svg ${namespaces} ${size}>${content}</svg>`;

const docType = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';

const laughEntities = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`);
const laughs = `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughEntities.join('')}]>${svg('<desc>&l9;</desc>')}`;

const useOf = (level: number) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`;
const uses = Array.from({ length: 9 }, (_, level) => useOf(level)).join('');
const useBomb = svg(`<defs><rect id="u0" width="1" height="1"/>${uses}</defs><use href="#u9"/>`);

describe('an SVG is drawn with a longer side of 512 pixels', () => {
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
      const { width, height, at } = await drawn(markup);
      assert.deepEqual([width, height, at(4, 4), at(508, 508)], [512, 512, red, red]);
    });
  }

  test('wide or tall', async () => {
    for (const [size, width, height] of [
      ['width="64" height="32"', 512, 256],
      ['width="32" height="64"', 256, 512],
      // Drawn at its full width, it would take more memory than exists.
      ['width="1" height="512"', 1, 512],
    ] as const) {
      const logo = await drawn(svg(square, size));
      assert.deepEqual([logo.width, logo.height, logo.at(width >> 1, 4)], [width, height, red]);
    }
  });

  test('sharp, however small it claims to be', async () => {
    const { at } = await drawn(svg('<rect x="1" width="1" height="2" fill="red"/>', 'width="2" height="2"'));
    assert.deepEqual([at(254, 256), at(257, 256)], [clear, red]);
  });
});

describe('an SVG is refused with the reason', () => {
  const passwd = 'file:///etc/passwd';
  const refusals: [what: string, markup: string, reason: RegExp][] = [
    ['with a thousand million laughs', laughs, /entities/],
    ['with a file for an entity', `<!DOCTYPE svg [<!ENTITY x SYSTEM "${passwd}">]>${svg('')}`, /entities/],
    ['with the image of a file', svg(`<image href="${passwd}"/>`), /contains an image/],
    ['with the image of another host', svg('<image xlink:href="http://127.0.0.1:9/logo.png"/>'), /contains an image/],
    ['with an image under a prefix', svg('<s:image\nxmlns:s="http://www.w3.org/2000/svg"/>'), /contains an image/],
    ['with an image in a filter', svg(`<filter id="f"><feImage href="${passwd}"/></filter>`), /contains an image/],
    ['with a shape of another file', svg(`<use href="${passwd}#a"/>`), /external reference in <use>/],
    ['with a paint of another file', svg(`<rect fill="url(${passwd}#a)"/>`), /external reference in fill/],
    [
      'with HTML',
      svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">A</p></foreignObject>'),
      /HTML.*to paths/,
    ],
    ['with flowing text', svg('<flowRoot><flowPara>A</flowPara></flowRoot>'), /text in <flowRoot>.*to paths/],
    ['with text', svg('<text y="32">Logo</text>'), /contains text.*to paths/],
  ];
  for (const [what, markup, reason] of refusals) {
    test(what, () => assert.match(refusalOf(markup), reason));
  }
});

test('an SVG that cannot be read is not drawn', () => {
  for (const markup of [
    svg(square).slice(0, -3),
    svg(square, 'width="0" height="0"'),
    svg(square, 'width="1000000" height="0.001"'),
    useBomb,
    svg('<g>'.repeat(10_000) + '</g>'.repeat(10_000)),
    '<!DOCTYPE html><html><body>Logo</body></html>',
  ]) {
    assert.deepEqual(drawSvg(markup), { outcome: 'unreadable' }, markup.slice(0, 200));
  }
});

test('a file is markup if it starts with a tag in UTF-8', () => {
  assert.equal(asMarkup(Buffer.from(`\ufeff\n ${svg(square)}`)), `\n ${svg(square)}`);
  for (const other of [
    Buffer.from('Logo <svg>'),
    gzipSync(svg(square)),
    Buffer.from(`\ufeff${svg(square)}`, 'utf16le'),
    Buffer.from(svg('<!-- é -->'), 'latin1'),
  ])
    assert.equal(asMarkup(other), null);
});

describe('what an SVG uses beyond the renderer is named in the refusal', () => {
  for (const [name, { svg: markup, reason }] of Object.entries(cases.refused)) {
    test(name, async () => {
      const result = drawSvg(markup);
      const final = result.outcome === 'drawn' ? await drawPixels(result.png) : result;
      assert.ok(final.outcome === 'refused' && final.reason.includes(reason), JSON.stringify(final));
    });
  }
});

function refusalOf(markup: string): string {
  const result = drawSvg(markup);
  return result.outcome === 'refused' ? result.reason : result.outcome;
}

/** The size and the pixels, as red, green, blue and alpha, of what a file is drawn as. */
async function drawn(file: string) {
  const markup = asMarkup(Buffer.from(file));
  const result = drawSvg(markup ?? '');
  assert.ok(result.outcome === 'drawn', JSON.stringify(result));
  const { data, info } = await sharp(result.png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return { width: info.width, height: info.height, at };
}
