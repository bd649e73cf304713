import { type Failure, invalidContent } from '../../kernel/failure.ts';
import { drawImage } from './draw-image.ts';
import { imageBytesMax } from './logo.ts';

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
  const drawn = await drawImage(image);
  switch (drawn.outcome) {
    case 'drawn':
      return drawn.png;
    case 'refused':
      throw unusable(drawn.reason);
    case 'unreadable':
      throw unusable('The file cannot be read as a PNG, JPEG, WebP or SVG image.');
  }
}

function unusable(detail: string): Failure {
  return invalidContent([{ pointer: '', code: 'invalid_format', detail }]);
}
