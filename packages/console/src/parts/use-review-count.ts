import { useEffect } from 'preact/hooks';
import { ofTypes } from '../live/changes.ts';
import { operator, registryChanged } from '../operator.ts';
import { useRequest } from '../use-request.ts';

/** Between two counts, as someone decides app after app and others do too. */
const recountMs = 10_000;

/** How many apps await a decision; undefined until that is known. Follows what others and what this window decides. */
export function useReviewCount(): number | undefined {
  const { data, reload } = useRequest(
    (signal) => operator.reviewQueue.list({ limit: 1, withTotal: true }, { signal }).page(),
    [],
    { follows: ofTypes('app.', 'developer.', 'settings.'), everyMs: recountMs },
  );
  useEffect(() => {
    let timer: number | undefined;
    const recount = () => {
      timer ??= window.setTimeout(() => {
        timer = undefined;
        // A window in view again follows what has happened meanwhile.
        if (!document.hidden) reload();
      }, recountMs);
    };
    window.addEventListener(registryChanged, recount);
    return () => {
      window.removeEventListener(registryChanged, recount);
      clearTimeout(timer);
    };
  }, []);
  return data?.total ?? data?.estimatedTotal;
}
