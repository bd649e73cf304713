import { type Figure, isMet, type Target } from '../harness/case.ts';
import type { CaseResult, Run } from './run.ts';

/** A case as text, with a line for each figure and each target. */
export function caseText({ title, about, figures, targets, seconds }: CaseResult): string {
  const rows = figures.map(({ of, value, unit, rounds, ratio }) => [
    of,
    numberText(value),
    unit,
    rangeText(rounds),
    ratio ? `${ratio.value.toFixed(2)} of ${ratio.of}` : '',
  ]);
  const lines = alignedTable(rows);
  const results = targets.map((target) => `  ${targetText(target)}`);
  return ['', `${title} (${Math.round(seconds)} s)`, `  ${about}`, '', ...lines, '', ...results].join('\n');
}

/** The summary of a run, with a line for each target. */
export function targetsText({ pace, results }: Run): string {
  const quick = pace.isQuick ? ', in a quick run, with less data and shorter measurements than the targets assume' : '';
  const lines = results.flatMap(({ targets }) => targets).map((target) => `  ${targetText(target)}`);
  return ['', `Targets${quick}:`, ...lines, ''].join('\n');
}

function targetText(target: Target): string {
  return `${isMet(target) ? 'met    ' : 'not met'}  ${target.text}: ${valueText(target)}; ${boundText(target)}`;
}

export function boundText({ atLeast, atMost, unit }: Target): string {
  return atLeast === undefined
    ? `at most ${numberText(atMost ?? 0)} ${unit}`
    : `at least ${numberText(atLeast)} ${unit}`;
}

export function valueText({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  return `${numberText(value)} ${unit}`;
}

/** A number with its significant digits. */
export function numberText(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

/** The smallest and the largest round; empty for a single one. */
export function rangeText(rounds: number[]): string {
  return rounds.length > 1 ? `${numberText(Math.min(...rounds))} to ${numberText(Math.max(...rounds))}` : '';
}

/** A line for each row, with numbers aligned to the right. */
export function alignedTable(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const isNumeric = widths.map((_, at) => rows.some((row) => /^[+-]?[\d.,]+(?: %)?$/.test(row[at] ?? '')));
  const pad = (cell: string, at: number) =>
    isNumeric[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
  return rows.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd());
}
