import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { drawPixels } from './draw-pixels.ts';

const red = { r: 255, g: 0, b: 0, alpha: 1 };
const blue = { r: 0, g: 0, b: 255, alpha: 1 };
const clear = [0, 0, 0, 0];

test('a logo comes out as a PNG of 512 by 512 pixels, from every format and size', async () => {
  for (const [width, height, format] of [
    [1, 1, 'png'],
    [1, 4096, 'jpeg'],
    [4096, 1, 'webp'],
    [511, 513, 'jpeg'],
    [4096, 4096, 'png'],
  ] as const) {
    const logo = await drawn(await plain(width, height).toFormat(format).toBuffer());
    const made = await sharp(logo).metadata();
    const expected = { format: 'png', width: 512, height: 512, depth: 'uchar', space: 'srgb', isProgressive: false };
    assert.partialDeepStrictEqual(made, expected);
  }
});

describe('a logo is fitted', () => {
  test('in the middle, on transparency', async () => {
    const wide = await pixelsOf(await plain(200, 100).png().toBuffer());
    assert.deepEqual([wide(256, 10), wide(256, 500)], [clear, clear]);
    assert.ok(isRed(wide(4, 256)) && isRed(wide(508, 256)));
    const tall = await pixelsOf(await plain(100, 200).jpeg().toBuffer());
    assert.deepEqual([tall(10, 256), tall(500, 256)], [clear, clear]);
    assert.ok(isRed(tall(256, 4)) && isRed(tall(256, 508)));
  });

  test('preserving transparency', async () => {
    const image = sharp({ create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    const left = { input: await plain(32, 64).png().toBuffer(), left: 0, top: 0 };
    const at = await pixelsOf(await image.composite([left]).png().toBuffer());
    assert.ok(isRed(at(64, 256)));
    assert.deepEqual(at(448, 256), clear);
  });

  test('in the direction of its orientation', async () => {
    // Red on the left and blue on the right; 6 means that the left side is the top.
    const image = halves(200, 100).withMetadata({ orientation: 6 });
    for (const bytes of await eachFormat(image)) {
      const at = await pixelsOf(bytes);
      assert.ok(isRed(at(256, 64)), `top ${at(256, 64)}`);
      assert.ok(isBlue(at(256, 448)), `bottom ${at(256, 448)}`);
      assert.deepEqual(at(10, 256), clear);
    }
  });

  test('from any colour representation', async () => {
    const grey = plain(64, 64, { r: 128, g: 128, b: 128, alpha: 1 }).toColourspace('b-w');
    assert.deepEqual((await pixelsOf(await grey.png().toBuffer()))(256, 256), [128, 128, 128, 255]);
    const image = halves(64, 64);
    for (const one of [
      image.clone().png({ palette: true }),
      image.clone().webp(),
      image.clone().toColourspace('rgb16').png(),
    ]) {
      const at = await pixelsOf(await one.toBuffer());
      assert.ok(isRed(at(64, 256)) && isBlue(at(448, 256)));
    }
    const cmyk = await pixelsOf(await image.toColourspace('cmyk').jpeg().toBuffer());
    const [r = 0, g = 0, b = 0, alpha] = cmyk(64, 256);
    assert.ok(r > 200 && g < 60 && b < 60 && alpha === 255, String(cmyk(64, 256)));
  });
});

test('nothing but the pixels of the image is retained', async () => {
  const exif = { IFD0: { Copyright: 'Ada Lovelace', ImageDescription: 'taken at home' } };
  const image = plain(64, 64)
    .withExif(exif)
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">at home</x:xmpmeta>')
    .withIccProfile('p3');
  for (const bytes of await eachFormat(image)) {
    assert.ok(bytes.includes('Ada Lovelace') && bytes.includes('at home'));
    const logo = await drawn(Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]));
    const { exif, xmp, icc, orientation } = await sharp(logo).metadata();
    assert.deepEqual([exif, xmp, icc, orientation], [undefined, undefined, undefined, undefined]);
    for (const text of ['Ada', 'home', 'script']) assert.ok(!Buffer.from(logo).includes(text));
  }
});

describe('a JPEG that browsers show is drawn', () => {
  const damages: [what: string, damage: (jpeg: Buffer) => Uint8Array][] = [
    [
      'with scan parameters that only a progressive one has',
      (jpeg) => jpeg.fill(0, scanOf(jpeg) + 12, scanOf(jpeg) + 13),
    ],
    ['without its end', (jpeg) => jpeg.subarray(0, -2)],
    ['without its last bytes', (jpeg) => jpeg.subarray(0, -40)],
    ['with bytes after its end', (jpeg) => Buffer.concat([jpeg, Buffer.from('<html>'), jpeg])],
    ['with bytes before a marker', (jpeg) => inserted(jpeg, scanOf(jpeg), Buffer.from([0, 1, 2]))],
    ['with fill bytes before a marker', (jpeg) => inserted(jpeg, scanOf(jpeg), Buffer.from([0xff, 0xff]))],
    ['with a damaged pixel', (jpeg) => corrupted(jpeg)],
    ['with a damaged colour profile', (jpeg) => inserted(jpeg, 2, segment(0xe2, 'ICC_PROFILE\0\x01\x01profile'))],
    ['with an unknown version of JFIF', (jpeg) => inserted(jpeg, 2, segment(0xe0, 'JFIF\0\x05\x09\0\0\x01\0\x01\0\0'))],
    ['with an unknown Adobe transform', (jpeg) => inserted(jpeg, 2, segment(0xee, 'Adobe\0\0\0\0\0\0\x09'))],
    ['with damaged metadata', (jpeg) => inserted(jpeg, 2, segment(0xe1, 'Exif\0\0damaged'))],
  ];
  for (const [what, damage] of damages) {
    test(what, async () => {
      for (const progressive of [false, true]) {
        const jpeg = await noise(256).jpeg({ progressive }).toBuffer();
        assert.equal((await drawPixels(damage(jpeg))).outcome, 'drawn', String(progressive));
      }
    });
  }
});

test('an image without a visible pixel is refused', async () => {
  const transparent = plain(64, 64, { r: 255, g: 0, b: 0, alpha: 0 });
  for (const image of [await transparent.clone().png().toBuffer(), await transparent.webp().toBuffer()]) {
    const result = await drawPixels(image);
    assert.ok(result.outcome === 'refused' && /no visible pixel/.test(result.reason), JSON.stringify(result));
  }
});

describe('an unacceptable file is refused', () => {
  test('an image with a side of more than 4,096 pixels, by its sides', async () => {
    for (const [width, height, format] of [
      [4097, 1, 'png'],
      [1, 4097, 'jpeg'],
      [4097, 2, 'webp'],
    ] as const) {
      await assertTooLarge(await plain(width, height).toFormat(format).toBuffer(), `${width} by ${height}`);
    }
  });

  test('an image that only claims to be huge, before anything is decoded', async () => {
    // Decoded, it would be found to lack nearly all of its pixels.
    await assertTooLarge(png({ width: 60_000, height: 60_000 }), '60000 by 60000');
    assert.notEqual((await drawPixels(png({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }))).outcome, 'drawn');
  });

  const others: [what: string, bytes: () => Promise<Uint8Array>][] = [
    ['nothing', async () => new Uint8Array()],
    ['a text', async () => Buffer.from('This is no image.')],
    ['a GIF', async () => plain(64, 64).gif().toBuffer()],
    ['a TIFF', async () => plain(64, 64).tiff().toBuffer()],
    ['an AVIF', async () => plain(64, 64).avif().toBuffer()],
    ['a page of HTML', async () => Buffer.from('<!DOCTYPE html><html><body>Logo</body></html>')],
    ['half a WebP', async () => half(await noise(256).webp({ lossless: true }).toBuffer())],
    ['a PDF', async () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')],
    ['a PPM', async () => Buffer.from('P3 1 1 255 255 0 0\n')],
    ['the signature of a PNG alone', async () => Buffer.from('89504e470d0a1a0a', 'hex')],
    ['half a PNG', async () => half(await noise(256).png().toBuffer())],
    ['half a JPEG', async () => half(await noise(256).jpeg().toBuffer())],
    ['a PNG without its pixels', async () => png({ width: 8, height: 8, pixels: Buffer.alloc(0) })],
    ['a PNG with a wrong checksum', async () => corrupted(await noise(64).png().toBuffer())],
  ];
  for (const [what, bytes] of others) {
    test(what, async () => assert.deepEqual(await drawPixels(await bytes()), { outcome: 'unreadable' }));
  }
});

async function drawn(image: Uint8Array): Promise<Uint8Array> {
  const result = await drawPixels(image);
  assert.ok(result.outcome === 'drawn', JSON.stringify(result));
  return result.png;
}

async function assertTooLarge(image: Uint8Array, sides: string): Promise<void> {
  const reason = `The image is ${sides} pixels; each side must have at most 4096.`;
  assert.deepEqual(await drawPixels(image), { outcome: 'refused', reason });
}

function eachFormat(image: Sharp): Promise<Buffer[]> {
  return Promise.all([image.clone().png(), image.clone().jpeg(), image.clone().webp()].map((one) => one.toBuffer()));
}

function plain(width: number, height: number, background = red): Sharp {
  const channels = background.alpha === 1 ? 3 : 4;
  return sharp({ create: { width, height, channels, background } });
}

/** Red on the left, blue on the right. */
function halves(width: number, height: number): Sharp {
  const pixels = Array.from({ length: width * height }, (_, at) => (at % width < width / 2 ? red : blue));
  const bytes = Buffer.from(pixels.flatMap(({ r, g, b }) => [r, g, b]));
  return sharp(bytes, { raw: { width, height, channels: 3 } });
}

/** Incompressible data. */
function noise(side: number): Sharp {
  const pixels = Buffer.from(Array.from({ length: side * side * 3 }, (_, index) => (index * 2_654_435_761) >>> 24));
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } });
}

/** The pixels of the logo rendered from an image, as red, green, blue and alpha. */
async function pixelsOf(image: Uint8Array): Promise<(x: number, y: number) => number[]> {
  const logo = sharp(await drawn(image))
    .ensureAlpha()
    .raw();
  const { data, info } = await logo.toBuffer({ resolveWithObject: true });
  assert.equal(info.channels, 4);
  return (x, y) => [...data.subarray((y * 512 + x) * 4, (y * 512 + x) * 4 + 4)];
}

function isRed([r = 0, g = 0, b = 0, alpha = 0]: number[]): boolean {
  return r > 240 && g < 20 && b < 20 && alpha === 255;
}

function isBlue([r = 0, g = 0, b = 0, alpha = 0]: number[]): boolean {
  return r < 20 && g < 20 && b > 240 && alpha === 255;
}

/** Where the marker of the first scan is. */
function scanOf(jpeg: Buffer): number {
  return jpeg.indexOf(Buffer.from([0xff, 0xda]));
}

function segment(marker: number, content: string): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker, 0, content.length + 2]), Buffer.from(content, 'latin1')]);
}

function inserted(bytes: Buffer, at: number, others: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), others, bytes.subarray(at)]);
}

function half(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

function corrupted(bytes: Uint8Array): Uint8Array {
  const middle = Math.floor(bytes.length / 2);
  return bytes.with(middle, (bytes[middle] ?? 0) ^ 0xff);
}

/** A handwritten PNG: grey, of the size that its header claims. */
function png({ width, height, pixels }: { width: number; height: number; pixels?: Buffer }): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const data = pixels ?? deflateSync(Buffer.alloc(Math.min(height, 64) * (Math.min(width, 64) + 1)));
  const chunks: [string, Buffer][] = [
    ['IHDR', header],
    ['IDAT', data],
    ['IEND', Buffer.alloc(0)],
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks.map(chunk)]);
}

function chunk([type, data]: [string, Buffer]): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
