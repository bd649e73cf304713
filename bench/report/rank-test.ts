/**
 * The probability that these values would be as low as they are, beside the others, if both came from the same source:
 * an exact Mann-Whitney test. Among all ways to choose as many of the values, it counts those with a sum of ranks that
 * is as low. It assumes no distribution, and equal values share their ranks.
 */
export function chanceOfLower(values: readonly number[], others: readonly number[]): number {
  const all = [...values, ...others];
  const ranks = all.map((value) => doubledRank(value, all));
  const observed = ranks.slice(0, values.length).reduce((sum, rank) => sum + rank, 0);
  const sums = waysBySum(ranks, values.length);
  let ways = 0;
  let asLow = 0;
  for (const [sum, count] of sums) {
    ways += count;
    if (sum <= observed) asLow += count;
  }
  return asLow / ways;
}

/** The smallest result that as many values can have: all of them are lower than all others. */
export function smallestChance(count: number, otherCount: number): number {
  return chanceOfLower(
    Array.from({ length: count }, () => 0),
    Array.from({ length: otherCount }, (_, at) => at + 1),
  );
}

/** Twice the mean rank of equal values, which is an integer. */
function doubledRank(value: number, all: readonly number[]): number {
  const lower = all.filter((one) => one < value).length;
  const equal = all.filter((one) => one === value).length;
  return 2 * lower + equal + 1;
}

/** In how many ways this many of the ranks add up to each sum. */
function waysBySum(ranks: number[], count: number): Map<number, number> {
  const ways = Array.from({ length: count + 1 }, () => new Map<number, number>());
  ways[0]?.set(0, 1);
  for (const rank of ranks) {
    for (let chosen = count; chosen > 0; chosen -= 1) {
      const target = ways[chosen] as Map<number, number>;
      for (const [sum, number] of ways[chosen - 1] ?? [])
        target.set(sum + rank, (target.get(sum + rank) ?? 0) + number);
    }
  }
  return ways[count] as Map<number, number>;
}
