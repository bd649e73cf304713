/** The option of a list that an arrow key leads to: the first or the last one after none. */
export function moved(chosen: number | undefined, move: number, count: number): number {
  if (chosen === undefined) return move > 0 ? 0 : count - 1;
  return (chosen + move + count) % count;
}
