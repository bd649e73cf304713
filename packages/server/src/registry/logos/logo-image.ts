import sharp from 'sharp';
import { imageBytesMax } from '../../contract/logo.ts';
import { type Failure, invalidContent } from '../failure.ts';
import { rasteriseSvg } from './draw-image.ts';

const sideMax = 4096;
const side = 512;
const failOn = 'warning';

// Only these three decoders ever read untrusted bytes.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
});

/**
 * The image as a PNG of 512 by 512 pixels, fitted on transparency. It is decoded and redrawn, so that no uploaded byte is
 * ever served. Refuses with `invalid_content`.
 */
export async function renderLogo(image: Uint8Array): Promise<Uint8Array> {
  if (image.byteLength > imageBytesMax) throw unusable('The image must have at most 1 MiB.');
  return redrawLogo(image);
}

/** The same for an image that already was a logo, of any size. Redrawing it changes nothing. */
export async function redrawLogo(image: Uint8Array): Promise<Uint8Array> {
  const markup = asMarkup(image);
  return renderPixels(markup === null ? image : await drawn(markup));
}

/** The text of a file that starts with `<`, as only an SVG does; otherwise null. */
function asMarkup(image: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(image);
    return /^\s*</.test(text) ? text : null;
  } catch {
    return null;
  }
}

async function drawn(svg: string): Promise<Uint8Array> {
  const result = await rasteriseSvg(svg, { side });
  switch (result.outcome) {
    case 'drawn':
      return result.png;
    case 'refused':
      throw unusable(result.reason);
    case 'unreadable':
      throw unreadable();
  }
}

async function renderPixels(image: Uint8Array): Promise<Uint8Array> {
  const { width, height } = await readable(() => sharp(image, { failOn, limitInputPixels: false }).metadata());
  if (width > sideMax || height > sideMax) {
    throw unusable(`The image is ${width} by ${height} pixels; each side must have at most ${sideMax}.`);
  }
  return await readable(() =>
    sharp(image, { failOn, limitInputPixels: sideMax * sideMax })
      .autoOrient()
      .resize(side, side, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .toColourspace('srgb')
      .png()
      .toBuffer(),
  );
}

async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch {
    throw unreadable();
  }
}

function unreadable(): Failure {
  return unusable('The file cannot be read as a PNG, JPEG, WebP or SVG image.');
}

function unusable(detail: string): Failure {
  return invalidContent([{ pointer: '', code: 'invalid_format', detail }]);
}
