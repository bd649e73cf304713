import { median } from '@appregistrar/testkit/statistics';
import type { Figure } from '../harness/case.ts';
import { chanceOfLower, smallestChance } from './rank-test.ts';
import { type CaseResult, type Run, UsageError } from './run.ts';

/** A smaller change of a figure is never reported as a drop. */
export const dropMin = 0.1;
/** A change that would happen by chance more often is noise. */
export const chanceMax = 0.01;

/** How a figure has changed between two runs. */
export interface Change {
  title: string;
  before: Figure;
  now: Figure;
  /** Relative change of the median, and of that beside the limit of the machine; null if it was not measured. */
  change: number;
  changeBesideLimit: number | null;
  /** The chance of such a change without a cause; null if the figure is not compared. */
  chance: number | null;
  verdict: Verdict;
}

/** `noise` is a change of more than `dropMin` that may be by chance. */
type Verdict = 'drop' | 'gain' | 'noise' | 'same' | 'not compared';

type Direction = 'more' | 'less';

/** The figures of the later run that the earlier one has too. Throws if the runs cannot be compared. */
export function compareRuns(before: Run, now: Run): Change[] {
  requireComparable(before, { pace: now.pace, names: now.results.map(({ name }) => name) });
  return now.results.flatMap((result) => {
    const earlier = before.results.find(({ name }) => name === result.name) as CaseResult;
    return result.figures.flatMap((figure) => {
      const same = earlier.figures.find(({ of, unit }) => of === figure.of && unit === figure.unit);
      return same ? [changeOf(result.title, [same, limitOf(same, earlier)], [figure, limitOf(figure, result)])] : [];
    });
  });
}

/** Throws unless a run of these cases at this pace can be compared with an earlier one. */
export function requireComparable(before: Run, { pace, names }: { pace: Run['pace']; names: string[] }): void {
  const missing = names.filter((name) => !before.results.some((result) => result.name === name));
  if (missing.length > 0)
    throw new UsageError(`The earlier run does not have the cases ${missing.join(', ')}. Choose cases that it has.`);
  for (const name of ['isQuick', 'seconds', 'warmUpSeconds', 'connections'] as const) {
    const [was, is] = [before.pace[name], pace[name]];
    if (was !== is)
      throw new UsageError(`The earlier run was measured at another pace: ${name} was ${was}, and is ${is} now.`);
  }
  if (smallestChance(before.pace.rounds, pace.rounds) > chanceMax) {
    const rounds = `${before.pace.rounds} rounds before and ${pace.rounds} now`;
    throw new UsageError(
      `${rounds} are too few to distinguish a change from noise. Measure 5 rounds each with --rounds 5.`,
    );
  }
}

function limitOf({ limit }: Figure, { figures }: CaseResult): Figure | undefined {
  return figures.find(({ of }) => of === limit);
}

type Measured = [figure: Figure, limit: Figure | undefined];

function changeOf(title: string, before: Measured, now: Measured): Change {
  const direction = directionOf(now[0]);
  const raw: Rounds = { before: before[0].rounds, now: now[0].rounds };
  const besideLimit = roundsBesideLimit(before, now, direction);
  const row = {
    title,
    before: before[0],
    now: now[0],
    change: changeOfMedian(raw),
    changeBesideLimit: besideLimit && changeOfMedian(besideLimit),
  };
  if (!direction || smallestChance(raw.before.length, raw.now.length) > chanceMax) {
    return { ...row, chance: null, verdict: 'not compared' };
  }
  return { ...row, ...verdictOf(comparedRounds(now[0], raw, besideLimit), direction) };
}

interface Rounds {
  before: number[];
  now: number[];
}

/** Figures of the registry alone have a direction: neither the limit, nor what it is compared with. */
function directionOf({ of, unit }: Figure): Direction | null {
  if (/\b(?:bare node:http|hand-written|pgbench)\b/.test(of)) return null;
  if (unit.endsWith('/s')) return 'more';
  return unit === 'ms' || unit === 'MiB' ? 'less' : null;
}

/** Each round relative to the limit in that round, so that a slower machine does not count. Times grow as the limit falls. */
function roundsBesideLimit(before: Measured, now: Measured, direction: Direction | null): Rounds | null {
  const [one, other] = [before, now].map(([{ rounds }, limit]) =>
    limit?.rounds.length === rounds.length
      ? rounds.map((value, at) =>
          direction === 'less' ? value * (limit.rounds[at] ?? 0) : value / (limit.rounds[at] ?? 0),
        )
      : null,
  );
  return direction && one && other ? { before: one, now: other } : null;
}

/**
 * Throughput is compared beside the limit. Part of a time depends on the disk, not on the limit, so it is compared by
 * itself too. Memory does not depend on the limit.
 */
function comparedRounds({ unit }: Figure, raw: Rounds, besideLimit: Rounds | null): Rounds[] {
  if (besideLimit === null || unit === 'MiB') return [raw];
  return unit === 'ms' ? [raw, besideLimit] : [besideLimit];
}

/** A drop or a gain is one by every way to compare the figure. */
function verdictOf(ways: Rounds[], direction: Direction): { chance: number; verdict: Verdict } {
  const gains = ways.map((rounds) => (direction === 'more' ? 1 : -1) * changeOfMedian(rounds));
  const isWorse = gains.every((gain) => gain < 0);
  const isFewer = isWorse === (direction === 'more');
  const chances = ways.map(({ before, now }) => (isFewer ? chanceOfLower(now, before) : chanceOfLower(before, now)));
  const chance = Math.max(...chances);
  if (gains.every((gain) => Math.abs(gain) <= dropMin)) return { chance, verdict: 'same' };
  const isClear = chance <= chanceMax;
  if (isClear && gains.every((gain) => gain < -dropMin)) return { chance, verdict: 'drop' };
  return { chance, verdict: isClear && gains.every((gain) => gain > dropMin) ? 'gain' : 'noise' };
}

function changeOfMedian({ before, now }: Rounds): number {
  const [was, is] = [median(before), median(now)];
  return was === is ? 0 : is / was - 1;
}
