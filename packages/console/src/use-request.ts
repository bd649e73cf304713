import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Concern, useChanges } from './live/changes.ts';
import { type ShownError, shownError } from './shown-error.ts';

/** The state of a request. While it reloads, the previous data stays. */
export interface RequestState<Data> {
  data: Data | undefined;
  error: ShownError | undefined;
  isPending: boolean;
  reload: () => void;
}

interface Following {
  /** Events after which the request is sent again. */
  follows?: Concern;
  /** At most that often. */
  everyMs?: number;
}

/**
 * Sends a request whenever one of the inputs changes, and after events that concern it. Only the latest request updates the
 * state. A request after an event is silent: it shows neither that it is
 * pending nor that it failed.
 */
export function useRequest<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  inputs: readonly unknown[],
  { follows, everyMs }: Following = {},
): RequestState<Data> {
  const [state, setState] = useState<Omit<RequestState<Data>, 'reload'>>(initialState);
  const [reloads, setReloads] = useState(0);
  const isQuiet = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    const wasQuiet = isQuiet.current;
    isQuiet.current = false;
    if (!wasQuiet) setState(({ data }) => ({ data, error: undefined, isPending: true }));
    load(controller.signal).then(
      (data) => update((before) => ({ data: unlessSame(before.data, data), error: undefined, isPending: false })),
      (error: unknown) =>
        update((before) =>
          wasQuiet && before.data !== undefined
            ? { ...before, isPending: false }
            : { data: undefined, error: shownError(error), isPending: false },
        ),
    );
    return () => controller.abort();

    function update(next: (before: Omit<RequestState<Data>, 'reload'>) => Omit<RequestState<Data>, 'reload'>): void {
      if (!controller.signal.aborted) setState(next);
    }
  }, [...inputs, reloads]);
  const reload = useCallback(() => setReloads((before) => before + 1), []);
  const reloadQuietly = () => {
    // A refused request would be refused again.
    if (state.error) return;
    isQuiet.current = true;
    reload();
  };
  useChanges(follows, reloadQuietly, everyMs);
  return { ...state, reload };
}

const initialState = { data: undefined, error: undefined, isPending: true };

/** The data before, where nothing has changed: then what depends on it need not be loaded again. */
function unlessSame<Data>(before: Data | undefined, now: Data): Data {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;
}
