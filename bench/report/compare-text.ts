import type { Figure } from '../harness/case.ts';
import type { Change } from './compare.ts';
import type { Run } from './run.ts';
import { alignedTable, numberText, rangeText } from './text.ts';

const columns = ['before', '', 'now', '', 'unit', 'change', 'beside the limit', 'chance', ''];
const verdicts = { drop: 'DROP', gain: 'better', noise: 'noise', same: '', 'not compared': 'not compared' };

/** The changes as a table for each case, and what has dropped. */
export function changesText(changes: Change[], { before, now }: { before: Run; now: Run }): string {
  const tables = [...Map.groupBy(changes, ({ title }) => title)].flatMap(([title, ofCase]) => [
    '',
    title,
    ...alignedTable([['', ...columns], ...ofCase.map(rowOf)]),
  ]);
  const machines =
    before.machine.cpu === now.machine.cpu
      ? []
      : [`The processors differ: ${before.machine.cpu}, and ${now.machine.cpu} now.`];
  return [
    `Compared with the run of ${before.at}, on Node ${before.machine.node}.`,
    ...machines,
    ...tables,
    '',
    ...summary(changes),
    '',
  ].join('\n');
}

function rowOf({ before, now, change, changeBesideLimit, chance, verdict }: Change): string[] {
  return [
    now.of,
    ...[before, now].flatMap((figure) => [numberText(figure.value), rangeOf(figure)]),
    now.unit,
    percent(change),
    changeBesideLimit === null ? '' : percent(changeBesideLimit),
    chance === null ? '' : chance.toFixed(3),
    verdicts[verdict],
  ];
}

function rangeOf({ rounds }: Figure): string {
  const range = rangeText(rounds);
  return range === '' ? '' : `(${range})`;
}

function percent(change: number): string {
  if (!Number.isFinite(change)) return 'from 0';
  return `${change < 0 ? '' : '+'}${(change * 100).toFixed(1)} %`;
}

function summary(changes: Change[]): string[] {
  const dropped = changes.filter(({ verdict }) => verdict === 'drop');
  if (dropped.length === 0) return ['No figure has dropped by more than 10 %, beyond noise.'];
  return ['Dropped by more than 10 %, beyond noise:', ...dropped.map(({ title, now }) => `  ${title}: ${now.of}`)];
}
