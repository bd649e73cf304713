/** The time of a request and of its response, by the clock of the client. */
export interface Interval {
  begin: number;
  end: number;
}

/** The effect of operations, one at a time. */
export interface Model<State, Operation> {
  initial: State;
  /** The state after an operation; null if its response is impossible in this state. */
  apply(state: State, operation: Operation): State | null;
  /** Equal for equal states. */
  key(state: State): string;
}

const contextMax = 5;

export interface Violation<State, Operation> {
  /** The operation whose response no order explains. */
  operation: Operation;
  /** The operations pending at its end, which may precede it. */
  concurrent: Operation[];
  /** The operations that ended just before. */
  before: Operation[];
  /** The possible states just before. */
  states: State[];
}

/** A possible state of the registry, and the pending operations that have taken effect in it. */
interface Configuration<State, Operation> {
  state: State;
  done: ReadonlySet<Operation>;
}

/**
 * Finds the first response of a history that no order of its operations explains, where each takes effect at one
 * moment between its request and its response (linearizability; the search follows G. Lowe, "Testing for
 * linearizability", 2017, forward over all configurations at once). Null if such an order exists.
 */
export function findViolation<State, Operation extends Interval>(
  history: readonly Operation[],
  model: Model<State, Operation>,
): Violation<State, Operation> | null {
  const pending = new Set<Operation>();
  const ended: Operation[] = [];
  let configurations: Configuration<State, Operation>[] = [{ state: model.initial, done: new Set() }];
  for (const { operation, isEnd } of momentsOf(history)) {
    if (!isEnd) {
      pending.add(operation);
      continue;
    }
    const before = configurations;
    configurations = afterResponse(before, { operation, pending, model });
    pending.delete(operation);
    if (configurations.length === 0) {
      const states = before.map(({ state }) => state);
      return { operation, concurrent: [...pending], before: ended.slice(-contextMax), states };
    }
    ended.push(operation);
  }
  return null;
}

function momentsOf<Operation extends Interval>(history: readonly Operation[]) {
  const begins = history.map((operation) => ({ operation, isEnd: false, at: operation.begin }));
  const ends = history.map((operation) => ({ operation, isEnd: true, at: operation.end }));
  // Of operations at one moment, those that begin may precede those that end.
  return [...begins, ...ends].sort((one, other) => one.at - other.at || Number(one.isEnd) - Number(other.isEnd));
}

interface Search<State, Operation> {
  operation: Operation;
  pending: ReadonlySet<Operation>;
  model: Model<State, Operation>;
}

/** Every distinct configuration in which the operation has taken effect. It is no longer pending then. */
function afterResponse<State, Operation>(
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
