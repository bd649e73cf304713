import { readFileSync, writeFileSync } from 'node:fs';
import type { Figures } from './fault-injection.ts';

const file = new URL('../../docs/fault-injection-results.md', import.meta.url);

interface PublishedRun {
  name: string;
  seed: number;
  short: boolean;
  /** The options of the command line. */
  given: Record<string, unknown>;
  at: Date;
}

/** Replaces the section of a program in the file of results. */
export function publish(run: PublishedRun, figures: Figures): void {
  writeFileSync(file, withResults(readFileSync(file, 'utf8'), run, figures));
}

/** The sections of the file with that of this program replaced, or added at the end. */
export function withResults(text: string, { name, seed, short, given, at }: PublishedRun, figures: Figures): string {
  const options = Object.entries(given).map(([option, value]) => `--${option} ${value}`);
  const command = [...(short ? ['--short'] : []), `--seed ${seed}`, ...options].join(' ');
  const rows = Object.entries(figures).map(([figure, value]) => `| ${figure} | ${value} |`);
  const table = ['| Figure | Value |', '|---|---|', ...rows].join('\n');
  const section = `## ${name}\n\n\`${command}\`, ${at.toISOString().slice(0, 10)}:\n\n${table}\n`;
  const [head = '', ...sections] = text.split(/^(?=## )/m);
  const place = sections.findIndex((one) => one.startsWith(`## ${name}\n`));
  if (place === -1) return [text, section].join('\n');
  const isLast = place === sections.length - 1;
  return [head, ...sections.with(place, isLast ? section : `${section}\n`)].join('');
}
