import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js';
import { logoSide } from './draw-image.ts';

const settings: ResvgRenderOptions = { font: { loadSystemFonts: false }, logLevel: 'off' };

/**
 * Draws an SVG as a PNG whose longer side is that of a logo, regardless of its size; null if it cannot be read. Reads
 * nothing but the text and runs no script.
 */
export function drawSvg(svg: string): Uint8Array | null {
  try {
    const { width, height } = new Resvg(svg, settings);
    const fitTo = { mode: width >= height ? 'width' : 'height', value: logoSide } as const;
    return new Resvg(svg, { ...settings, fitTo }).render().asPng();
  } catch {
    return null;
  }
}
