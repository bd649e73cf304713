import type { ReviewQueueCounts } from '@appregistrar/client/operator';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { useRequest } from '../../use-request.ts';

/** In a registry where something happens all the time, and for what has no events. */
const recountMs = 15_000;

/** How much of each sort is in the queue. */
export function useQueueCounts(): ReviewQueueCounts | undefined {
  const { data } = useRequest((signal) => operator.reviewQueue.getCounts({ signal }), [], {
    follows: ofTypes('app.', 'developer.', 'settings.'),
    everyMs: recountMs,
    rereadMs: recountMs,
  });
  return data;
}
