import { useEffect } from 'preact/hooks';
import { ofTypes } from '../live/changes.ts';
import { operator, registryChanged } from '../operator.ts';
import { useRequest } from '../use-request.ts';

/** In a registry where something happens all the time. */
const recountMs = 10_000;

/** How many apps await a decision; undefined until that is known. Follows what others and what this window decides. */
export function useReviewCount(): number | undefined {
  const { data, reload } = useRequest(
    (signal) => operator.reviewQueue.list({ limit: 1, withTotal: true }, { signal }).page(),
    [],
    { follows: ofTypes('app.', 'developer.', 'settings.'), everyMs: recountMs },
  );
  useEffect(() => {
    window.addEventListener(registryChanged, reload);
    return () => window.removeEventListener(registryChanged, reload);
  }, []);
  return data?.total ?? data?.estimatedTotal;
}
