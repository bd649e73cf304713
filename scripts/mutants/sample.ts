import type { SeededRandom } from '../seeded-random.ts';
import { kinds } from './kinds.ts';
import type { Mutation } from './mutations.ts';

/** Puts mutations in a random order that takes one of each kind in turn, and within a kind one of each top folder. */
export function spreadSample(mutations: readonly Mutation[], random: SeededRandom): Mutation[] {
  const order = new Map(mutations.map((mutation) => [mutation, random.fraction()]));
  const shuffled = mutations.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const ofKinds = kinds.map((kind) => {
    const ofKind = shuffled.filter(({ place }) => place.kind === kind);
    return takeInTurn([...Map.groupBy(ofKind, ({ place }) => place.file.split('/')[0]).values()]);
  });
  return takeInTurn(ofKinds);
}

function takeInTurn<Item>(lists: readonly Item[][]): Item[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat();
}
