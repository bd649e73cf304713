import { useCallback, useEffect, useState } from 'preact/hooks';
import { Refusal } from './api/http-request.ts';

/** What came of asking: the answer before stays until there is another one. */
export interface Asked<Answer> {
  answer: Answer | undefined;
  refusal: Refusal | undefined;
  isAsking: boolean;
  askAgain: () => void;
}

/** Asks whenever one of the inputs changes, and for the last of them only. */
export function useRequest<Answer>(
  load: (signal: AbortSignal) => Promise<Answer>,
  inputs: readonly unknown[],
): Asked<Answer> {
  const [asked, setAsked] = useState<Omit<Asked<Answer>, 'askAgain'>>(nothing);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setAsked(({ answer }) => ({ answer, refusal: undefined, isAsking: true }));
    load(controller.signal).then(
      (answer) => tell({ answer, refusal: undefined, isAsking: false }),
      (error: unknown) => tell({ answer: undefined, refusal: asRefusal(error), isAsking: false }),
    );
    return () => controller.abort();

    function tell(came: Omit<Asked<Answer>, 'askAgain'>): void {
      if (!controller.signal.aborted) setAsked(came);
    }
  }, [...inputs, times]);
  const askAgain = useCallback(() => setTimes((before) => before + 1), []);
  return { ...asked, askAgain };
}

const nothing = { answer: undefined, refusal: undefined, isAsking: true };

/** A fault of the console itself is told too, and not hidden. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal({ title: 'The console has failed', detail: String(error) });
}
