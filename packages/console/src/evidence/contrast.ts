/** The contrast that WCAG 2.2 requires of text of normal size (AA, 1.4.3). */
export const contrastMin = 4.5;

const texts = ['#212529', '#ffffff'];

/** The more readable text colour on a background, with its contrast ratio (WCAG 2.2). */
export function bestText(background: string): { color: string; ratio: number } {
  const choices = texts.map((color) => ({ color, ratio: contrast(color, background) }));
  return choices.reduce((best, choice) => (choice.ratio > best.ratio ? choice : best));
}

/** The ratio, from 1 to 21, of two colours in `#rgb` or `#rrggbb` notation. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: string): number[] {
  const digits = color.slice(1);
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255);
}
