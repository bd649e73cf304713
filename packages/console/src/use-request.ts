import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Concern, useChanges } from './live/changes.ts';
import { useReread } from './live/use-reread.ts';
import { isFinal, type ShownError, shownError } from './shown-error.ts';

/** The state of a request. While it reloads, the previous data stays. */
export interface RequestState<Data> {
  data: Data | undefined;
  error: ShownError | undefined;
  isPending: boolean;
  reload: () => void;
}

type LoadState<Data> = Omit<RequestState<Data>, 'reload'>;

interface Following {
  /** Events after which the request is sent again. */
  follows?: Concern;
  /** At most that often. */
  everyMs?: number;
  /** For what changes without an event: how long after a response the request is sent again. */
  rereadMs?: number | undefined;
}

/**
 * Sends a request whenever one of the inputs changes, and after events that concern it. Only the latest request updates the
 * state. A request after an event or some time is silent: it shows neither that it is pending nor that it failed.
 */
export function useRequest<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  inputs: readonly unknown[],
  { follows, everyMs, rereadMs }: Following = {},
): RequestState<Data> {
  const [state, setState] = useState<LoadState<Data>>(initialState);
  const [reloads, setReloads] = useState(0);
  const [rereads, setRereads] = useState(0);
  /** The request that the state results from. */
  const loaded = useRef<readonly unknown[] | undefined>(undefined);
  const canReread = useRef(false);
  useEffect(() => {
    canReread.current = false;
    const controller = new AbortController();
    const requested = [...inputs, reloads];
    const isQuiet = requested.every((value, at) => value === loaded.current?.[at]);
    if (!isQuiet) setState(({ data }) => ({ data, error: undefined, isPending: true }));
    load(controller.signal).then(
      (data) => update((before) => ({ data: unlessSame(before.data, data), error: undefined, isPending: false }), true),
      (error: unknown) =>
        update(
          (before) =>
            isQuiet && before.data !== undefined
              ? { ...before, isPending: false }
              : { data: undefined, error: shownError(error), isPending: false },
          !isFinal(error),
        ),
    );
    return () => controller.abort();

    function update(next: (before: LoadState<Data>) => LoadState<Data>, mayReread: boolean): void {
      if (controller.signal.aborted) return;
      loaded.current = requested;
      canReread.current = mayReread;
      setState(next);
    }
  }, [...inputs, reloads, rereads]);
  const reload = useCallback(() => setReloads((before) => before + 1), []);
  const reloadQuietly = () => {
    // A refused request would be refused again.
    if (!state.error) setRereads((before) => before + 1);
  };
  const isCutOff = state.error?.isCutOff;
  useEffect(() => {
    if (!isCutOff) return;
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isCutOff]);
  useChanges(follows, reloadQuietly, everyMs);
  useReread(() => canReread.current && reloadQuietly(), rereadMs, state);
  return { ...state, reload };
}

const initialState = { data: undefined, error: undefined, isPending: true };

/** The data before, where nothing has changed: then what depends on it need not be loaded again. */
function unlessSame<Data>(before: Data | undefined, now: Data): Data {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;
}
