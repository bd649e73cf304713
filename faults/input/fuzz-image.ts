import type { SeededRandom } from '../../scripts/seeded-random.ts';
import { fuzzText } from './fuzz-text.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const svg = (inside: string, fields = 'width="8" height="8"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${fields}>${inside}</svg>`,
  );

/** Bytes that are sent as an image. */
function fuzzImage(random: SeededRandom): Buffer {
  return random.pick<() => Buffer>([
    () => pixel,
    () => pixel.subarray(0, random.between(1, pixel.length - 1)),
    () => withByte(pixel, random),
    () => Buffer.concat([pixel, Buffer.from('<?php system("ls"); ?>')]),
    () => Buffer.concat([pixel.subarray(0, 16), Buffer.from('7fffffff7fffffff', 'hex'), pixel.subarray(24)]),
    () => Buffer.alloc(0),
    () => Buffer.from(fuzzText(random)),
    () => Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'),
    () => Buffer.from('BM\x00\x00', 'latin1'),
    () => Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
    () => Buffer.from('RIFF\x04\x00\x00\x00WEBPVP8 ', 'latin1'),
    () => Buffer.from('%PDF-1.7\n', 'latin1'),
    () => svg('<rect width="8" height="8"/>'),
    () => svg('<script>for(;;);</script>'),
    () => svg('<image href="file:///etc/passwd" width="8" height="8"/>'),
    () => svg('<image xlink:href="http://127.0.0.1:9/x.png" width="8" height="8"/>'),
    () => svg('<foreignObject width="8" height="8"><b xmlns="http://www.w3.org/1999/xhtml">b</b></foreignObject>'),
    () => svg('', 'width="1e9" height="1e9"'),
    () => svg('', 'width="-1" height="NaN"'),
    () => svg('', 'viewBox="0 0 0 0"'),
    () => svg('<g id="a"><use href="#a"/></g>'),
    () => svg('<g>'.repeat(5_000) + '</g>'.repeat(5_000)),
    () =>
      Buffer.concat([
        Buffer.from('<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>'),
        svg('<text>&b;</text>'),
      ]),
    () =>
      Buffer.concat([Buffer.from('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'), svg('<text>&a;</text>')]),
    () => Buffer.from('<svg'),
  ])();
}

function withByte(image: Buffer, random: SeededRandom): Buffer {
  const copy = Buffer.from(image);
  copy[random.between(0, copy.length - 1)] = random.between(0, 255);
  return copy;
}

export interface FuzzForm {
  contentType: string;
  body: Buffer;
}

/** A form with an image, usually with something wrong in one of them. */
export function fuzzForm(random: SeededRandom, developerId: string): FuzzForm {
  const boundary = random.chance(0.9) ? 'boundary' : `b${oneLine(fuzzText(random))}`;
  const developer = part(
    boundary,
    'form-data; name="developerId"',
    Buffer.from(random.chance(0.9) ? developerId : fuzzText(random)),
  );
  const image = part(boundary, 'form-data; name="image"; filename="a"', fuzzImage(random));
  const end = Buffer.from(`--${boundary}--\r\n`);
  const fuzzed = part(
    boundary,
    `form-data; name="${oneLine(fuzzText(random))}"; filename="${oneLine(fuzzText(random))}"`,
    pixel,
  );
  const parts = random.pick<Buffer[]>([
    [developer, image, end],
    [developer, image, end],
    [developer, image, end],
    [image, developer, end],
    [developer, image],
    [developer, developer, image, end],
    [developer, image, image, end],
    [developer, end],
    [image, end],
    [end],
    [developer, fuzzed, end],
    [developer, image, fuzzed, end],
    [Buffer.from(`--${boundary}\r\n\r\n`), developer, image, end],
    [Buffer.from(fuzzText(random)), developer, image, end],
  ]);
  const type = random.chance(0.9) ? 'multipart/form-data' : oneLine(fuzzText(random));
  return { contentType: `${type}; boundary=${boundary}`, body: Buffer.concat(parts) };
}

function part(boundary: string, disposition: string, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
}

/** The bytes of a header field, without those that would end it. */
export function oneLine(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[\r\n]/g, '');
}
