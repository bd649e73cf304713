import sharp from 'sharp';
import { type DrawnImage, logoSide } from './draw-image.ts';

const sideMax = 4096;

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
    const { width, height } = await sharp(image, { failOn: 'none', limitInputPixels: false }).metadata();
    if (width > sideMax || height > sideMax) return { outcome: 'refused', reason: tooLarge(width, height) };
    const png = isJpeg(image) ? await fittedJpeg(image, { width, height }) : await fitted(image, 'warning');
    return (await isVisible(png)) ? { outcome: 'drawn', png } : { outcome: 'refused', reason: invisible };
  } catch {
    return { outcome: 'unreadable' };
  }
}

function tooLarge(width: number, height: number): string {
  return `The image is ${width} by ${height} pixels; each side must have at most ${sideMax}.`;
}

function isJpeg(image: Uint8Array): boolean {
  return image[0] === 0xff && image[1] === 0xd8;
}

/** Browsers show a JPEG despite damage, such as wrong scan parameters or a missing end. Most of its rows must be there. */
async function fittedJpeg(image: Uint8Array, sides: { width: number; height: number }): Promise<Uint8Array> {
  // The decoder stops at the first end, so a second one has no effect.
  const ended = Buffer.concat([image, Buffer.from([0xff, 0xd9])]);
  return fitted(ended, 'warning').catch(async (error) => {
    if (await isCut(ended, sides)) throw error;
    return fitted(ended, 'error');
  });
}

/** Whether the last eighth of its rows is missing. The decoder fills what it does not find with the middle of all values. */
async function isCut(jpeg: Uint8Array, { width, height }: { width: number; height: number }): Promise<boolean> {
  const top = Math.floor((height * 7) / 8);
  const rows = sharp(jpeg, { failOn: 'error' }).extract({ left: 0, top, width, height: height - top });
  const { channels } = await sharp(await rows.png().toBuffer()).stats();
  return channels.every(({ min, max }) => min >= 127 && max <= 128);
}

const invisible = 'The image has no visible pixel. Check its colours, its opacity and what lies outside of its edges.';

async function isVisible(png: Uint8Array): Promise<boolean> {
  const { channels } = await sharp(png).stats();
  return channels[3]?.max !== 0;
}

function fitted(image: Uint8Array, failOn: 'error' | 'warning'): Promise<Uint8Array> {
  return sharp(image, { failOn, limitInputPixels: sideMax * sideMax })
    .autoOrient()
    .resize(logoSide, logoSide, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .toColourspace('srgb')
    .png()
    .toBuffer();
}

/** The text of a file that starts with `<`, as only an SVG does; otherwise null. */
export function asMarkup(image: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(image);
    return /^\s*</.test(text) ? text : null;
  } catch {
    return null;
  }
}
