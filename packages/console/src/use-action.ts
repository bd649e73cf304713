import { useRef, useState } from 'preact/hooks';
import type { Refusal } from './api/http-request.ts';
import { asRefusal } from './use-request.ts';

/** Something that a person asks for, one at a time, and why the last was refused. */
export interface Action {
  isAsking: boolean;
  refusal: Refusal | undefined;
  run: (work: () => Promise<void>) => Promise<void>;
}

export function useAction(): Action {
  const [state, setState] = useState<Pick<Action, 'isAsking' | 'refusal'>>({ isAsking: false, refusal: undefined });
  const isAtWork = useRef(false);
  const run = async (work: () => Promise<void>) => {
    // The second of two clicks may come before the button is seen to be disabled.
    if (isAtWork.current) return;
    isAtWork.current = true;
    setState({ isAsking: true, refusal: undefined });
    try {
      await work();
      setState({ isAsking: false, refusal: undefined });
    } catch (error) {
      setState({ isAsking: false, refusal: asRefusal(error) });
    }
    isAtWork.current = false;
  };
  return { ...state, run };
}
