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
function splitAt(text: string, width: number): [fitting: string, rest: string] {
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

const gap = '  ';
/** Nothing shorter can be recognised. */
const widthMin = { ofWords: 12, ofAny: 4 };
const columnsMin = 3;

interface TableOptions {
  /** Undefined where there is no terminal. */
  terminalWidth: number | undefined;
  /** Whether the last columns may be left out where they do not fit. */
  isOptional: boolean;
}

/** A table of texts: aligned on a terminal, of tab-separated values elsewhere, where programs read it. */
export class Table {
  readonly #columns: readonly string[];
  readonly #options: TableOptions;
  /** Those of the first rows, so that all pages of a list are one table. */
  #widths: number[] | undefined;

  constructor(columns: readonly string[], options: TableOptions) {
    this.#columns = columns;
    this.#options = options;
  }

  /** The lines of the next rows. The first ones come with a header on a terminal. */
  lines(rows: readonly string[][]): string[] {
    const { terminalWidth } = this.#options;
    if (terminalWidth === undefined) return rows.map((row) => row.join('\t'));
    if (this.#widths) return rows.flatMap((row) => this.#aligned(row));
    this.#widths = this.#fittingWidths(rows, terminalWidth);
    return [this.#columns, ...rows].flatMap((row) => this.#aligned(row));
  }

  #fittingWidths(rows: readonly string[][], terminalWidth: number): number[] {
    const columns = this.#columns.map((name, index) => columnOf([name, ...rows.map((row) => row[index] ?? '')]));
    if (this.#options.isOptional) {
      while (columns.length > columnsMin && totalWidth(columns.map(narrowest)) > terminalWidth) columns.pop();
    }
    const excess = () => totalWidth(columns) - terminalWidth;
    shrink(
      columns.filter(({ hasWords }) => hasWords),
      { excess: excess(), to: widthMin.ofWords },
    );
    shrink(columns, { excess: excess(), to: widthMin.ofAny });
    return columns.map(({ width }) => width);
  }

  /** The last column wraps, the others are cut. */
  #aligned(row: readonly string[]): string[] {
    const widths = this.#widths ?? [];
    const last = widths.length - 1;
    const before = widths.slice(0, last).map((width, index) => padded(cutTo(row[index] ?? '', width), width));
    const start = before.map((text) => text + gap).join('');
    const [first = '', ...others] = wrapped(row[last] ?? '', widths[last] ?? 0);
    return [start + first, ...others.map((text) => ' '.repeat(textWidth(start)) + text)].map((line) => line.trimEnd());
  }
}

interface Column {
  width: number;
  /** Whether it has texts of words, of which the beginning helps, unlike that of an id. */
  hasWords: boolean;
}

function columnOf(texts: readonly string[]): Column {
  return { width: Math.max(...texts.map(textWidth)), hasWords: texts.some((text) => text.includes(' ')) };
}

/** As narrow as it may be without being hard to use. */
function narrowest({ width, hasWords }: Column): Column {
  return { width: hasWords ? Math.min(width, widthMin.ofWords) : width, hasWords };
}

function totalWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width, gap.length * (columns.length - 1));
}

/** Takes what does not fit from the widest of these columns. */
function shrink(columns: readonly Column[], { excess, to }: { excess: number; to: number }): void {
  for (let left = excess; left > 0; left -= 1) {
    const widest = columns.toSorted((one, other) => other.width - one.width)[0];
    if (!widest || widest.width <= to) return;
    widest.width -= 1;
  }
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** Between words where possible. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (let rest = text; rest !== '' || lines.length === 0; ) {
    const [fitting, more] = splitAt(rest, width);
    const space = more === '' || more.startsWith(' ') ? -1 : fitting.lastIndexOf(' ');
    const line = space > 0 ? fitting.slice(0, space) : fitting;
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}
