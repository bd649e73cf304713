import { readFile, writeFile } from 'node:fs/promises';
import { chart } from './chart.ts';
import { figuresMarkdown, headlinesMarkdown } from './markdown.ts';
import type { Run } from './run.ts';

const page = new URL('../../docs/performance.md', import.meta.url);
const figuresFile = new URL('../../docs/performance-figures.md', import.meta.url);
const chartFile = new URL('../../docs/images/bench.svg', import.meta.url);
const [begin, end] = ['<!-- headlines: written by `npm run bench` -->', '<!-- end of headlines -->'];

/** Writes the headlines of a run to docs/performance.md, and all of its figures and its chart beside it. */
export async function publish(run: Run): Promise<void> {
  await writeFile(page, withHeadlines(await readFile(page, 'utf8'), headlinesMarkdown(run)));
  await writeFile(figuresFile, `${figuresMarkdown(run)}\n`);
  await writeFile(chartFile, chart(run));
}

function withHeadlines(text: string, written: string): string {
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/performance.md must hold ${begin} and ${end}`);
  return `${before}${begin}\n\n${written}\n${end}${after}`;
}
