import { eastAsianWidth } from 'get-east-asian-width';

const ascii = /^[ -~]*$/;
/** Made when the first text is not ASCII: they take as much time as all else that a command loads. */
let unicode: { segmenter: Intl.Segmenter; emoji: RegExp } | undefined;
/** Combining marks and format characters, which a terminal draws on the character before. */
const zeroWidth = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

/** How many columns of a terminal a text takes. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** The beginning of a text that fits, and the rest. At least one character fits. */
export function splitAt(text: string, width: number): [fitting: string, rest: string] {
  if (textWidth(text) <= width) return [text, ''];
  let [fitting, used] = ['', 0];
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme);
    if (used > width && fitting !== '') break;
    fitting += grapheme;
  }
  return [fitting, text.slice(fitting.length)];
}

/** The text, cut to fit, with an ellipsis in place of what is missing. */
export function cutTo(text: string, width: number): string {
  return textWidth(text) <= width ? text : `${splitAt(text, width - 1)[0]}…`;
}

function graphemes(text: string): string[] {
  return Array.from(unicodeRules().segmenter.segment(text), ({ segment }) => segment);
}

function unicodeRules() {
  unicode ??= { segmenter: new Intl.Segmenter('en', { granularity: 'grapheme' }), emoji: /^\p{RGI_Emoji}$/v };
  return unicode;
}

function graphemeWidth(grapheme: string): number {
  if (unicodeRules().emoji.test(grapheme)) return 2;
  if (zeroWidth.test(grapheme)) return 0;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}
