/** What a CSV file begins with. */
export interface CsvHeader {
  columns: string[];
  delimiter: string;
}

const delimiters = [',', ';', '\t', '|'];

/** The header of a CSV file (RFC 4180) from its beginning. Its separator is the one that the header has most often. */
export function readCsvHeader(start: string): CsvHeader {
  const text = start.replace(/^\uFEFF/, '');
  const found = delimiters.map((delimiter) => ({ delimiter, columns: firstRow(text, delimiter) }));
  return found.reduce((best, one) => (one.columns.length > best.columns.length ? one : best));
}

function firstRow(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '\n' || character === '\r') break;
    else if (character === delimiter) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...cells, cell];
}

/** The column that is named like a field: regardless of case, spaces and underscores, with or without its group. */
export function columnFor(field: string, columns: readonly string[]): string | undefined {
  const names = [field, field.split('.').at(-1) ?? field].map(comparable);
  return names.map((name) => columns.find((column) => comparable(column) === name)).find(Boolean);
}

function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
