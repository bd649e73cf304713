/** Something that was asked and answered, by the clock of the one process that asked. */
export interface Interval {
  begin: number;
  end: number;
}

/** What the operations of a history do, one at a time. */
export interface Model<State, Operation> {
  initial: State;
  /** The state after an operation that was answered so; null when it cannot have been answered so. */
  apply(state: State, operation: Operation): State | null;
  /** Equal for equal states. */
  key(state: State): string;
}

const toldMax = 5;

export interface Violation<State, Operation> {
  /** Whose answer no order explains. */
  operation: Operation;
  /** What was under way at its end and can have gone before it. */
  under: Operation[];
  /** What was answered just before. */
  before: Operation[];
  /** In which the registry can have been just before. */
  states: State[];
}

/** A state that the registry can be in, and what of that which is still under way has taken effect in it. */
interface Configuration<State, Operation> {
  state: State;
  done: ReadonlySet<Operation>;
}

/**
 * Looks for the first answer of a history that no order of its operations explains, where each takes effect at one
 * moment between its question and its answer (linearizability; the search is that of G. Lowe, "Testing for
 * linearizability", 2017, forward over all configurations at once). Null when there is such an order.
 */
export function findViolation<State, Operation extends Interval>(
  history: readonly Operation[],
  model: Model<State, Operation>,
): Violation<State, Operation> | null {
  const pending = new Set<Operation>();
  const answered: Operation[] = [];
  let configurations: Configuration<State, Operation>[] = [{ state: model.initial, done: new Set() }];
  for (const { operation, isEnd } of momentsOf(history)) {
    if (!isEnd) {
      pending.add(operation);
      continue;
    }
    const before = configurations;
    configurations = afterAnswer(before, { operation, pending, model });
    pending.delete(operation);
    if (configurations.length === 0) {
      const states = before.map(({ state }) => state);
      return { operation, under: [...pending], before: answered.slice(-toldMax), states };
    }
    answered.push(operation);
  }
  return null;
}

function momentsOf<Operation extends Interval>(history: readonly Operation[]) {
  const begins = history.map((operation) => ({ operation, isEnd: false, at: operation.begin }));
  const ends = history.map((operation) => ({ operation, isEnd: true, at: operation.end }));
  // At one moment, what begins may still go before what ends.
  return [...begins, ...ends].sort((one, other) => one.at - other.at || Number(one.isEnd) - Number(other.isEnd));
}

interface Search<State, Operation> {
  operation: Operation;
  pending: ReadonlySet<Operation>;
  model: Model<State, Operation>;
}

/** Every configuration in which the operation has taken effect, each once; it is no longer under way then. */
function afterAnswer<State, Operation>(
  configurations: Configuration<State, Operation>[],
  { operation, pending, model }: Search<State, Operation>,
): Configuration<State, Operation>[] {
  const numbers = new Map([...pending].map((one, number) => [one, number]));
  const keyOf = ({ state, done }: Configuration<State, Operation>) =>
    `${[...done].map((one) => numbers.get(one)).sort()} ${model.key(state)}`;
  const seen = new Set<string>();
  const found = new Map<string, Configuration<State, Operation>>();
  const open = [...configurations];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.done.has(operation)) {
      const after = { state: next.state, done: new Set([...next.done].filter((one) => one !== operation)) };
      found.set(keyOf(after), after);
      continue;
    }
    for (const one of pending) {
      if (next.done.has(one)) continue;
      const state = model.apply(next.state, one);
      if (state === null) continue;
      const after = { state, done: new Set([...next.done, one]) };
      const key = keyOf(after);
      if (!seen.has(key)) open.push(after);
      seen.add(key);
    }
  }
  return [...found.values()];
}
