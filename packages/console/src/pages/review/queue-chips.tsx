import type { ReviewQueueCounts } from '@appregistrar/client/operator';
import { replaceRoute } from '../../route.ts';
import { hrefOfReview, type QueueFilter } from './queue-filter.ts';

interface QueueChipsProps {
  filter: QueueFilter;
  /** The app that is open, which stays open. */
  appId: string | undefined;
  counts: ReviewQueueCounts | undefined;
}

interface Chip {
  name: string;
  filter: QueueFilter;
  count: keyof ReviewQueueCounts;
}

const chips: Chip[] = [
  { name: 'All', filter: {}, count: 'all' },
  { name: 'Risk', filter: { warnings: 'yes' }, count: 'risk' },
  { name: 'New', filter: { kind: 'new' }, count: 'new' },
  { name: 'Changes', filter: { kind: 'change' }, count: 'changes' },
  { name: 'Mine', filter: { kind: 'mine' }, count: 'mine' },
];

/** What of the queue is listed, by one press. The number of all is above. */
export function QueueChips({ filter, appId, counts }: QueueChipsProps) {
  const { kind, warnings, ...others } = filter;
  return (
    <fieldset class="queue-chips">
      <legend class="visually-hidden">Show</legend>
      {chips.map((chip) => (
        <button
          key={chip.name}
          type="button"
          class="chip"
          aria-pressed={chip.filter.kind === kind && chip.filter.warnings === warnings}
          onClick={() => replaceRoute(hrefOfReview({ ...others, ...chip.filter }, appId))}
        >
          {chip.name}{' '}
          {counts && chip.name !== 'All' && counts[chip.count].total !== 0 && (
            <span key={shownCount(counts[chip.count])}>{shownCount(counts[chip.count])}</span>
          )}
        </button>
      ))}
    </fieldset>
  );
}

/** "4", "about 400", or nothing where it is not known. */
export function shownCount({ total, estimatedTotal }: ReviewQueueCounts['all']): string {
  if (total !== undefined) return total.toLocaleString();
  return estimatedTotal === undefined ? '' : `about ${estimatedTotal.toLocaleString()}`;
}
