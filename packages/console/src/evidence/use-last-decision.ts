import type { Decision, DecisionSummary, OperatorApp, QueueItem } from '@appregistrar/client/operator';
import { namesOf } from '../events/actor.tsx';
import { operator } from '../operator.ts';
import type { ShownError } from '../shown-error.ts';
import { useRequest } from '../use-request.ts';

interface LastDecisionState {
  decision: DecisionSummary | undefined;
  /** Who decided, once it is loaded. */
  actorName: string | undefined;
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
      const page = await operator.apps.listDecisions(app.id, { limit: 1, actors: true }, { signal }).page();
      const [decision] = page.items;
      return decision && { decision, actorName: namesOf(page).get(decision.actor) };
    },
    [app, isNeeded],
  );
  return {
    decision: item ? item.sinceLastDecision?.decision : loaded?.decision,
    actorName: loaded?.actorName,
    content: loaded?.decision.content,
    error,
    reload,
  };
}
