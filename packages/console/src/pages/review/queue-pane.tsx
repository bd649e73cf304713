import type { QueueItem } from '@appregistrar/client/operator';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useHolder } from '../../holder.ts';
import { AppLogo } from '../../parts/app-logo.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { ClaimNote, isClaimedByAnother } from './claim-note.tsx';
import { hrefOfReview, isFiltered, type QueueFilter } from './queue-filter.ts';
import { QueueFilters } from './queue-filters.tsx';
import type { Queue } from './use-queue.ts';

interface QueuePaneProps {
  queue: Queue;
  filter: QueueFilter;
  /** The app that is open. */
  appId: string | undefined;
}

/** The apps that await review, with what to decide on and since when. */
export function QueuePane({ queue, filter, appId }: QueuePaneProps) {
  const { items, error, isPending, hasMore, loadMore, reload } = queue;
  const [wasFiltered] = useState(isFiltered(filter));
  const Heading = appId === undefined ? 'h1' : 'h2';
  return (
    <section class="queue-pane" aria-labelledby="queue-title">
      <div class="queue-head">
        <Heading id="queue-title">Review</Heading>
        <p class="faint" role="status">
          {items && `${countOf(queue)} to review`}
        </p>
      </div>
      <details class="queue-filter" open={wasFiltered}>
        <summary>Filter and sort</summary>
        <QueueFilters filter={filter} appId={appId} />
      </details>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending && !items}>
        {items?.length === 0 && <NothingWaits filter={filter} />}
        <ol class="queue-list">
          {items?.map((item) => (
            <QueueEntry
              key={item.app.id}
              item={item}
              href={hrefOfReview(filter, item.app.id)}
              isOpen={item.app.id === appId}
            />
          ))}
        </ol>
        {hasMore && (
          <button type="button" disabled={isPending} onClick={() => void loadMore()}>
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
  if (!isFiltered(filter)) return <p class="empty">No app awaits review.</p>;
  return (
    <p class="empty">
      No matching apps in the queue. <a href={hrefOfReview({ sort: filter.sort })}>Show the whole queue</a>
    </p>
  );
}

function QueueEntry({ item, href, isOpen }: { item: QueueItem; href: string; isOpen: boolean }) {
  const { app, warnings, waitingSince, claim } = item;
  const { holderId } = useHolder();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isOpen) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <li>
      <a ref={link} href={href} aria-current={isOpen ? 'true' : undefined}>
        <AppLogo name={app.name} logoId={app.logoId} size={28} />
        <span class="queue-entry">
          <strong>
            <bdi key={app.name} translate={false}>
              {app.name}
            </bdi>
          </strong>
          <span key={toReview(item)} class="faint">
            {toReview(item)} · <DateTime at={waitingSince} />
          </span>
          {(warnings.length > 0 || claim) && (
            <span class="badges">
              {warnings.length > 0 && (
                <span key={warnings.length} class="badge changed">
                  {counted(warnings)}
                </span>
              )}
              {isClaimedByAnother(claim, holderId) && <ClaimNote key={claim.actor} claim={claim} />}
            </span>
          )}
        </span>
      </a>
    </li>
  );
}

/** What there is to decide on. */
export function toReview({ kind, app, fields, sinceLastDecision }: QueueItem): string {
  if (kind === 'transfer') return fields.length > 0 ? 'New developer, with changes' : 'New developer';
  if (kind === 'change') return 'Changes to an approved app';
  if (sinceLastDecision?.isUnchanged) return 'Nothing (unchanged since the last decision)';
  if (app.changedSinceApproval === undefined) return 'Never approved';
  return fields.length > 0 ? 'Changes since approval' : 'Nothing (unchanged since approval)';
}

function counted({ length }: QueueItem['warnings']): string {
  return length === 1 ? '1 warning' : `${length} warnings`;
}
