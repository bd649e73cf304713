import { readFile, writeFile } from 'node:fs/promises';
import { chart } from './chart.ts';
import { figuresMarkdown } from './markdown.ts';
import type { Run } from './run.ts';

const page = new URL('../../docs/performance.md', import.meta.url);
const chartFile = new URL('../../docs/images/bench.svg', import.meta.url);
const begin = '<!-- figures: written by `npm run bench` -->';
const end = '<!-- end of figures -->';

/** Writes the figures of a run to docs/performance.md, and draws its chart. */
export async function publish(run: Run): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/performance.md must hold ${begin} and ${end}`);
  await writeFile(page, `${before}${begin}\n\n${figuresMarkdown(run)}\n${end}${after}`);
  await writeFile(chartFile, chart(run));
}
