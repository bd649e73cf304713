import { useEffect, useRef, useState } from 'preact/hooks';
import { type ShownError, shownError } from './shown-error.ts';

/** An action of the user, run one at a time, and the error of the last run. */
export interface Action {
  isPending: boolean;
  error: ShownError | undefined;
  run: (work: () => Promise<void>) => Promise<void>;
}

export function useAction(): Action {
  const [state, setState] = useState<Pick<Action, 'isPending' | 'error'>>({ isPending: false, error: undefined });
  const isRunning = useRef(false);
  const isCutOff = state.error?.isCutOff;
  useEffect(() => {
    if (!isCutOff) return;
    // That it failed is shown for as long as it would fail. Only the user sends it again.
    const forget = () => setState((before) => ({ ...before, error: undefined }));
    window.addEventListener('online', forget);
    return () => window.removeEventListener('online', forget);
  }, [isCutOff]);
  const run = async (work: () => Promise<void>) => {
    // The second click of a double click may arrive before the button is rendered as disabled.
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isPending: true, error: undefined });
    try {
      await work();
      setState({ isPending: false, error: undefined });
    } catch (error) {
      setState({ isPending: false, error: shownError(error) });
    }
    isRunning.current = false;
  };
  return { ...state, run };
}
