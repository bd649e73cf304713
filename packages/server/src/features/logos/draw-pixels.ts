import sharp from 'sharp';
import { type DrawnImage, logoSide } from './draw-image.ts';

const sideMax = 4096;
const failOn = 'warning';

// Only these three decoders ever read untrusted bytes.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
});
// One image takes one processor, on every system.
sharp.concurrency(1);

/** Draws a PNG, JPEG or WebP as a logo. Its sides are checked by its header, before its pixels are decoded. */
export async function drawPixels(image: Uint8Array): Promise<DrawnImage> {
  try {
    const { width, height } = await sharp(image, { failOn, limitInputPixels: false }).metadata();
    if (width > sideMax || height > sideMax) return { outcome: 'refused', reason: tooLarge(width, height) };
    return { outcome: 'drawn', png: await fitted(image) };
  } catch {
    return { outcome: 'unreadable' };
  }
}

function tooLarge(width: number, height: number): string {
  return `The image is ${width} by ${height} pixels; each side must have at most ${sideMax}.`;
}

function fitted(image: Uint8Array): Promise<Uint8Array> {
  return sharp(image, { failOn, limitInputPixels: sideMax * sideMax })
    .autoOrient()
    .resize(logoSide, logoSide, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .toColourspace('srgb')
    .png()
    .toBuffer();
}
