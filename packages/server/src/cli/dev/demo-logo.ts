import sharp from 'sharp';

const side = 256;

/** A PNG of a disc in one colour with one quarter in another: enough to distinguish demo apps. */
export function demoLogo(color: number, accent: number): Promise<Uint8Array> {
  const pixels = new Uint8Array(side * side * 4);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const [dx, dy] = [x - side / 2, y - side / 2];
      if (dx * dx + dy * dy > (side / 2) ** 2) continue;
      const fill = dx > 0 && dy < 0 ? accent : color;
      pixels.set([fill >> 16, (fill >> 8) & 0xff, fill & 0xff, 0xff], (y * side + x) * 4);
    }
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 4 } })
    .png()
    .toBuffer();
}
