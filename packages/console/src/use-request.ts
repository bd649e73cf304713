import { useCallback, useEffect, useState } from 'preact/hooks';
import { type ShownError, shownError } from './shown-error.ts';

/** The state of a request. While it reloads, the previous data stays. */
export interface RequestState<Data> {
  data: Data | undefined;
  error: ShownError | undefined;
  isPending: boolean;
  reload: () => void;
}

/** Sends a request whenever one of the inputs changes. Only the latest request updates the state. */
export function useRequest<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  inputs: readonly unknown[],
): RequestState<Data> {
  const [state, setState] = useState<Omit<RequestState<Data>, 'reload'>>(initialState);
  const [reloads, setReloads] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState(({ data }) => ({ data, error: undefined, isPending: true }));
    load(controller.signal).then(
      (data) => update({ data, error: undefined, isPending: false }),
      (error: unknown) => update({ data: undefined, error: shownError(error), isPending: false }),
    );
    return () => controller.abort();

    function update(next: Omit<RequestState<Data>, 'reload'>): void {
      if (!controller.signal.aborted) setState(next);
    }
  }, [...inputs, reloads]);
  const reload = useCallback(() => setReloads((before) => before + 1), []);
  return { ...state, reload };
}

const initialState = { data: undefined, error: undefined, isPending: true };
