import type { Decision, DecisionSummary, OperatorApp, QueueItem } from '@appregistrar/client/operator';
import { operator } from '../operator.ts';
import type { ShownError } from '../shown-error.ts';
import { useRequest } from '../use-request.ts';

interface LastDecisionState {
  decision: DecisionSummary | undefined;
  /** Present once it is loaded, which the queue makes necessary only where `isCompared`. */
  content: Decision['content'] | undefined;
  error: ShownError | undefined;
  reload: () => void;
}

/** The last decision about an app. The queue has it without the content, which most reviews do not need. */
export function useLastDecision(app: OperatorApp, item: QueueItem | undefined, isCompared: boolean): LastDecisionState {
  const isNeeded = item === undefined || isCompared;
  const {
    data: loaded,
    error,
    reload,
  } = useRequest(
    async (signal) => {
      if (!isNeeded) return undefined;
      const { items } = await operator.apps.listDecisions(app.id, { limit: 1 }, { signal }).page();
      return items[0];
    },
    [app, isNeeded],
  );
  return {
    decision: item ? item.sinceLastDecision?.decision : loaded,
    content: loaded?.content,
    error,
    reload,
  };
}
