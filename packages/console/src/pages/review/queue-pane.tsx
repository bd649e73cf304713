import type { QueueItem } from '@appregistrar/client/operator';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useHolder } from '../../holder.ts';
import { operator } from '../../operator.ts';
import { AppLogo } from '../../parts/app-logo.tsx';
import { Age } from '../../parts/date-time.tsx';
import { nameOf } from '../../parts/developer-name.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useRequest } from '../../use-request.ts';
import { durationText } from '../overview/duration.ts';
import { reviewersInWords } from './claim-note.tsx';
import { QueueChips, shownCount } from './queue-chips.tsx';
import { hrefOfReview, isFiltered, type QueueFilter } from './queue-filter.ts';
import { QueueFilters } from './queue-filters.tsx';
import { changesOf, reachOf, risksOf } from './queue-words.ts';
import type { Queue } from './use-queue.ts';
import { useQueueCounts } from './use-queue-counts.ts';
import type { Selection } from './use-selection.ts';

interface QueuePaneProps {
  queue: Queue;
  filter: QueueFilter;
  /** The app that is open. */
  appId: string | undefined;
  /** Absent for those who cannot decide. */
  selection?: Selection;
}

/** The apps that await review, with what to look at first, of whom, and since when. */
export function QueuePane({ queue, filter, appId, selection }: QueuePaneProps) {
  const toggle = useRef(selection?.toggle);
  toggle.current = selection?.toggle;
  const { items, error, isPending, hasMore, loadMore, reload } = queue;
  const [wasFiltered] = useState(isFiltered(filter));
  const { holderId } = useHolder();
  const counts = useQueueCounts();
  const Heading = appId === undefined ? 'h1' : 'h2';
  return (
    <section class="queue-pane" aria-labelledby="queue-title">
      <div class="queue-top">
        <div class="queue-head">
          <Heading id="queue-title">Review</Heading>
          <p class="faint" role="status">
            {items && (
              <>
                {counts && isFiltered(filter) ? shownCount(counts.all) : countOf(queue)} open
                {counts?.late && counts.late.total !== 0 && (
                  <>
                    {' · '}
                    <span key={shownCount(counts.late)} class="late">
                      {shownCount(counts.late)} late
                    </span>
                  </>
                )}
              </>
            )}
          </p>
        </div>
        <QueueChips filter={filter} appId={appId} counts={counts} />
        <details class="queue-filter" open={wasFiltered}>
          <summary>Filter and sort</summary>
          <QueueFilters filter={filter} appId={appId} />
        </details>
      </div>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending && !items}>
        {items?.length === 0 && <NothingWaits filter={filter} />}
        <ol class={selection && selection.items.length > 0 ? 'queue-list selecting' : 'queue-list'}>
          {items?.map((item) => (
            <QueueRow
              key={item.app.id}
              item={item}
              filter={filter}
              isOpen={item.app.id === appId}
              holderId={holderId}
              isSelected={selection?.has(item.app.id)}
              toggle={toggle}
            />
          ))}
        </ol>
        {hasMore && (
          <button type="button" class="show-more" disabled={isPending} onClick={() => void loadMore()}>
            Show more
          </button>
        )}
      </div>
    </section>
  );
}

/** "41", "more than 20", or an estimate. */
export function countOf({ items = [], total, estimatedTotal, hasMore }: Queue): string {
  if (total !== undefined) return total.toLocaleString();
  if (estimatedTotal !== undefined) return `about ${estimatedTotal.toLocaleString()}`;
  return hasMore ? `more than ${items.length}` : String(items.length);
}

function NothingWaits({ filter }: { filter: QueueFilter }) {
  if (!isFiltered(filter)) return <AllClear />;
  return (
    <p class="empty">
      No matching apps in the queue. <a href={hrefOfReview({ sort: filter.sort })}>Show the whole queue</a>
    </p>
  );
}

/** What was decided this week, for those who have nothing left to decide. */
function AllClear() {
  const { data } = useRequest((signal) => operator.statistics.get({ signal }), []);
  const week = data?.weeks.at(-1);
  const decided = Object.values(week?.decisions ?? {}).reduce((sum, count) => sum + count, 0);
  const median = week?.medianWaitMs === undefined ? '' : `, median ${durationText(week.medianWaitMs)}`;
  return (
    <p class="empty">
      No app awaits review.
      <span key={decided}>{decided > 0 && ` All clear: ${decided} decided this week${median}.`}</span>
    </p>
  );
}

interface QueueRowProps {
  item: QueueItem;
  filter: QueueFilter;
  isOpen: boolean;
  holderId: string;
  /** Undefined where apps cannot be selected. */
  isSelected: boolean | undefined;
  toggle: RefObject<Selection['toggle'] | undefined>;
}

/** Rendered again only for other props: a queue may list hundreds. */
function QueueRow(props: QueueRowProps) {
  const { item, filter, isOpen, holderId, isSelected } = props;
  return useMemo(() => <QueueEntry {...props} />, [item, filter, isOpen, holderId, isSelected]);
}

function QueueEntry({ item, filter, isOpen, holderId, isSelected, toggle }: QueueRowProps) {
  const { app, waitingSince, dueAt } = item;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isOpen) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <li>
      <a ref={link} href={hrefOfReview(filter, app.id)} aria-current={isOpen ? 'true' : undefined}>
        <AppLogo name={app.name} logoId={app.logoId} size={24} />
        <span class="queue-name">
          <strong dir="auto" key={app.name} translate={false}>
            {app.name}
          </strong>{' '}
          <Age at={waitingSince} lateFrom={dueAt} />
        </span>
        <QueueWords item={item} holderId={holderId} />
      </a>
      {isSelected !== undefined && (
        <input
          type="checkbox"
          aria-label={`Select ${app.name}`}
          checked={isSelected}
          onClick={({ shiftKey }) => toggle.current?.(app.id, shiftKey)}
        />
      )}
    </li>
  );
}

/** Who is at it, what is risky, what changed, of whom, and for how many. */
function QueueWords({ item, holderId }: { item: QueueItem; holderId: string }) {
  const by = reviewersInWords(item, holderId);
  const risks = risksOf(item);
  const words = [changesOf(item), nameOf(item.developer), reachOf(item)].filter((one) => one !== '');
  return (
    <span class="queue-words" key={[by, ...risks, ...words].join(' · ')} translate={false} dir="auto">
      {by !== '' && <span class="reviewers">{by} · </span>}
      {risks.length > 0 && <span class="risky">▲ {risks.join(', ')} · </span>}
      {words.join(' · ')}
    </span>
  );
}
