import type { SearchQuery } from '@appregistrar/client/operator';
import { useEffect, useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { useRequest } from '../../use-request.ts';

const typingPauseMs = 150;

/** The longest text that can be searched. */
export const searchedMax = 254;

/** What a text finds: nothing without one. While someone types, only what they stop at is searched. */
export function useSearch(text: string, { type, ...page }: Pick<SearchQuery, 'type' | 'limit' | 'cursor'> = {}) {
  const sought = text.trim();
  const [settled, setSettled] = useState(sought);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(sought), typingPauseMs);
    return () => clearTimeout(timer);
  }, [sought]);
  const request = useRequest(
    async (signal) =>
      settled === ''
        ? undefined
        : { sought: settled, ...(await operator.search({ q: settled, type, ...page }, { signal }).page()) },
    [settled, type?.join(), page.limit, page.cursor],
  );
  // The request of a text is sent only after it is rendered for the first time.
  const isFound = request.error !== undefined || (request.data?.sought ?? '') === sought;
  return { ...request, isPending: request.isPending || settled !== sought || !isFound };
}
