import { Resvg } from '@resvg/resvg-js';
import { type DrawnImage, logoSide } from './draw-image.ts';
import { resolveSvg, settings } from './resolve-svg.ts';
import { UnsupportedSvg } from './svg-document.ts';

/**
 * Draws an SVG as a PNG whose longer side is that of a logo, regardless of its size; unreadable without XML of an SVG. Reads
 * nothing but the text and runs no script.
 */
export function drawSvg(svg: string): DrawnImage {
  const refusal = unsupported.find(([markup]) => markup.test(svg));
  if (refusal) return { outcome: 'refused', reason: refusal[1] };
  try {
    const { markup, background } = resolveSvg(svg);
    const { width, height } = new Resvg(markup, settings);
    const fitTo = { mode: width >= height ? 'width' : 'height', value: logoSide } as const;
    const png = new Resvg(markup, { ...settings, fitTo, ...(background !== undefined && { background }) })
      .render()
      .asPng();
    return { outcome: 'drawn', png };
  } catch (error) {
    return error instanceof UnsupportedSvg ? { outcome: 'refused', reason: error.message } : { outcome: 'unreadable' };
  }
}

/** Content that would be read from elsewhere, or drawn differently than intended. A comment that contains it is refused too. */
const unsupported: [markup: RegExp, reason: string][] = [
  [/<!entity/i, 'The SVG declares entities, which are not supported. Save it without them.'],
  // resvg opens files that images name, and an image within an SVG may itself be an SVG.
  [element('image|feImage'), 'The SVG contains an image, but only shapes are supported. Save it without images.'],
  [element('text'), 'The SVG contains text, but no fonts are available. Convert the text to paths.'],
];

/** An element of this name, with any prefix. */
function element(name: string): RegExp {
  return new RegExp(`<(?:[^\\s<>/]*:)?(?:${name})[\\s/>]`, 'i');
}
