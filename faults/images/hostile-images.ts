import sharp from 'sharp';

const side = 4096;
const bytesMax = 1_048_576;

/** An image, and what the response to its upload must contain. */
export interface HostileImage {
  what: string;
  bytes: Buffer;
  status: 201 | 422;
  detail: RegExp;
}

/** Small files that take much to decode. Each is padded to the largest size, so that holding many takes memory too. */
export async function hostileImages(): Promise<HostileImage[]> {
  const accepted = { status: 201, detail: /./ } as const;
  const refused = (detail: RegExp) => ({ status: 422, detail }) as const;
  const deep = await translucent(side).toColourspace('rgb16').png({ progressive: true }).toBuffer();
  const baseline = await opaque(side).jpeg({ quality: 60 }).toBuffer();
  const progressive = await opaque(side).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
  const huge = await opaque(3 * side)
    .toColourspace('b-w')
    .png({ progressive: true })
    .toBuffer();
  return [
    { what: 'an interlaced PNG of 64 bits a pixel', bytes: padded(deep), ...accepted },
    { what: 'a PNG of too many pixels', bytes: padded(huge), ...refused(/pixels; each side/) },
    { what: 'a progressive JPEG', bytes: padded(progressive), ...accepted },
    // A browser shows it too, less sharp.
    { what: 'half a progressive JPEG', bytes: progressive.subarray(0, progressive.length / 2), ...accepted },
    { what: 'half a JPEG', bytes: baseline.subarray(0, baseline.length / 2), ...refused(/cannot be read/) },
    { what: 'an SVG of gigabytes', bytes: memoryBomb(), ...refused(/too much time or memory/) },
    { what: 'no image', bytes: Buffer.alloc(bytesMax, 'x'), ...refused(/cannot be read/) },
  ];
}

/** What follows the image in its file is not part of it. */
function padded(image: Buffer): Buffer {
  return Buffer.concat([image, Buffer.alloc(bytesMax - image.length)]);
}

function translucent(pixels: number) {
  const background = { r: 200, g: 30, b: 30, alpha: 0.5 };
  return sharp({ create: { width: pixels, height: pixels, channels: 4, background } });
}

function opaque(pixels: number) {
  return sharp({ create: { width: pixels, height: pixels, channels: 3, background: 'red' } });
}

function memoryBomb(): Buffer {
  const floods = Array.from({ length: 40 }, (_, index) => `<feFlood result="r${index}"/>`).join('');
  const region = 'filterUnits="userSpaceOnUse" x="-30000" y="-30000" width="60000" height="60000"';
  const shapes = `<filter id="f" ${region}>${floods}</filter><rect width="64" height="64" filter="url(#f)"/>`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">${shapes}</svg>`);
}
