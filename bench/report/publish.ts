import { readFile, writeFile } from 'node:fs/promises';
import { chart } from './chart.ts';
import { figuresMarkdown, headlinesMarkdown } from './markdown.ts';
import type { Run } from './run.ts';

const page = new URL('../../docs/performance.md', import.meta.url);
const chartFile = new URL('../../docs/images/bench.svg', import.meta.url);

/** Writes the headlines and the figures of a run to docs/performance.md, and draws its chart. */
export async function publish(run: Run): Promise<void> {
  const text = await readFile(page, 'utf8');
  const withHeadlines = replaced(text, 'headlines', headlinesMarkdown(run));
  await writeFile(page, replaced(withHeadlines, 'figures', figuresMarkdown(run)));
  await writeFile(chartFile, chart(run));
}

function replaced(text: string, part: string, written: string): string {
  const [begin, end] = [`<!-- ${part}: written by \`npm run bench\` -->`, `<!-- end of ${part} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/performance.md must hold ${begin} and ${end}`);
  return `${before}${begin}\n\n${written}\n${end}${after}`;
}
