/** Each is `#rrggbb`. */
type Color = string;

/**
 * Where the console shows the accent, and the contrast that it needs there: 4.5 for text (WCAG 2.2, 1.4.3), 3 for shapes (1.4.11).
 * The grounds are the darkest light one and the dark one of the console.
 */
const uses = [
  { what: 'white text on it', on: '#ffffff', min: 4.5 },
  { what: 'it as text on light grey', on: '#f0f2f4', min: 4.5 },
  { what: 'it as a button on black', on: '#111418', min: 3 },
];

/** The colour in its long form; null if the text is no hex colour. */
export function hexColor(text: string): Color | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((digit) => digit + digit).join('')}`;
}

/** What a person must change to read the console with this accent, after "must"; null if nothing. */
export function accentProblem(color: Color): string | null {
  const failed = uses.find(({ on, min }) => contrast(color, on) < min);
  if (!failed) return null;
  const shade = failed.on === '#111418' ? 'lighter' : 'darker';
  // Rounded down: what is too low never looks sufficient.
  const measured = Math.floor(contrast(color, failed.on) * 100) / 100;
  return `be a ${shade} colour, such as ${nearestShade(color, shade)}: ${failed.what} has a contrast of ${measured}:1 with ${color}, and needs ${failed.min}:1`;
}

/** The first shade on the way to white or black that suits every use. */
function nearestShade(color: Color, shade: 'lighter' | 'darker'): Color {
  const end = shade === 'lighter' ? 255 : 0;
  const shades = Array.from({ length: 256 }, (_, step) => {
    const mixed = channels(color).map((channel) => Math.round(channel + ((end - channel) * step) / 255));
    return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  });
  return shades.find((one) => uses.every(({ on, min }) => contrast(one, on) >= min)) ?? color;
}

/** The ratio of two colours, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channels(color)
    .map((channel) => channel / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: Color): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
