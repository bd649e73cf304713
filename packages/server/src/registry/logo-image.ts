import sharp from 'sharp';
import { type Failure, invalidContent } from './failure.ts';

const bytesMax = 1_048_576;
const sideMax = 4096;
const side = 512;
const failOn = 'warning';

// Nothing but these two readers ever sees the bytes of a stranger.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] });

/**
 * The image as a PNG of 512 by 512, fitted on transparency. It is decoded and drawn anew, so that
 * nothing of the uploaded bytes is ever served. Refuses with `invalid_content`.
 */
export async function renderLogo(image: Uint8Array): Promise<Uint8Array> {
  if (image.byteLength > bytesMax) throw unusable('The image must have at most 1 MiB.');
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
    throw unusable('The file cannot be read as a PNG or JPEG image.');
  }
}

function unusable(detail: string): Failure {
  return invalidContent([{ pointer: '', code: 'invalid_format', detail }]);
}
