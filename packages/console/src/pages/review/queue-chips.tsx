import { replaceRoute } from '../../route.ts';
import { hrefOfReview, type QueueFilter } from './queue-filter.ts';

interface QueueChipsProps {
  filter: QueueFilter;
  /** The app that is open, which stays open. */
  appId: string | undefined;
}

const chips: Record<string, QueueFilter> = {
  All: {},
  Risk: { warnings: 'yes' },
  New: { kind: 'submission' },
  Changes: { kind: 'change' },
};

/** What of the queue is listed, by one press. */
export function QueueChips({ filter, appId }: QueueChipsProps) {
  const { sort, developer, days, ...chosen } = filter;
  return (
    <fieldset class="queue-chips">
      <legend class="visually-hidden">Show</legend>
      {Object.entries(chips).map(([name, of]) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={of.kind === chosen.kind && of.warnings === chosen.warnings}
          onClick={() => replaceRoute(hrefOfReview({ sort, developer, days, ...of }, appId))}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
