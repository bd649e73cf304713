/** Content that would be read from elsewhere, or drawn differently than intended. A comment that contains it is refused too. */
const unsupported: [markup: RegExp, reason: string][] = [
  [/<!entity/i, 'The SVG declares entities, which are not supported. Save it without them.'],
  // resvg opens files that images name, and an image within an SVG may itself be an SVG.
  [element('image|feImage'), 'The SVG contains an image, but only shapes are supported. Save it without images.'],
  [element('text'), 'The SVG contains text, but no fonts are available. Convert the text to paths.'],
];

/** The text of a file that starts with `<`, as only an SVG does; otherwise null. */
export function asMarkup(image: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(image);
    return /^\s*</.test(text) ? text : null;
  } catch {
    return null;
  }
}

/** Why this SVG is not drawn; undefined if it is. */
export function refusedMarkup(svg: string): string | undefined {
  return unsupported.find(([markup]) => markup.test(svg))?.[1];
}

/** An element of this name, with any prefix. */
function element(name: string): RegExp {
  return new RegExp(`<(?:[^\\s<>/]*:)?(?:${name})[\\s/>]`, 'i');
}
