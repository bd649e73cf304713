import type { QueueItem, ReviewQueueQuery } from '@appregistrar/client/operator';
import { useMemo, useRef, useState } from 'preact/hooks';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import type { ShownError } from '../../shown-error.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { type QueueFilter, queueQueryOf } from './queue-filter.ts';

const pageSize = 20;
const pageSizeMax = 100;
/** Claims have no events. Much more is read than for the app on screen, so less often. */
const rereadMs = 15_000;

/** The review queue as far as it is loaded. */
export interface Queue {
  /** Undefined until the first page has loaded. */
  items: QueueItem[] | undefined;
  /** How many there are in all. */
  total: number | undefined;
  /** Instead of it, where it is not known. */
  estimatedTotal: number | undefined;
  hasMore: boolean;
  isPending: boolean;
  error: ShownError | undefined;
  /** Loads what is shown again. */
  reload: () => void;
  loadMore: () => Promise<void>;
  /** Takes an item out that was decided on, also if a response that is on its way still has it. */
  remove: (item: QueueItem) => void;
  /** Lists an item again whose decision was taken back. */
  restore: (item: QueueItem) => void;
  replace: (item: QueueItem) => void;
}

interface Listed {
  /** The response that it began with. */
  from: QueueResponse | undefined;
  items: QueueItem[];
  total: number | undefined;
  nextCursor: string | undefined;
}

interface QueueResponse {
  page: Awaited<ReturnType<typeof loadPage>>;
  /** Makes each response replace earlier edits, even if it equals the previous one. */
  readAt: number;
}

export function useQueue(filter: QueueFilter): Queue {
  const query = useMemo(() => queueQueryOf(filter, Date.now()), [JSON.stringify(filter)]);
  const decided = useRef(new Set<string>());
  const latest = useRef<Listed | undefined>(undefined);
  const [edited, setEdited] = useState<Listed>();
  // A longer list than a page would become shorter: it follows only where it is whole.
  const isWhole = () => sizeOf(latest.current) < pageSizeMax;
  const first = useRequest(
    (signal) => loadResponse({ ...query, limit: sizeOf(latest.current), withTotal: true }, signal),
    [query],
    { follows: (event) => isWhole() && isOfQueue(event), rereadMs: isWhole() ? rereadMs : undefined },
  );
  const more = useAction();
  // A failed reload leaves what was listed.
  const list =
    first.data === undefined || edited?.from === first.data
      ? (edited ?? latest.current)
      : listed(first.data, decided.current);
  latest.current = list;
  const edit = (change: (list: Listed) => Listed) => {
    if (latest.current === undefined) return;
    latest.current = change(latest.current);
    setEdited(latest.current);
  };
  return {
    items: list?.items,
    total: list?.total,
    estimatedTotal: first.data?.page.estimatedTotal,
    hasMore: list?.nextCursor !== undefined,
    isPending: first.isPending || more.isPending,
    error: first.error ?? more.error,
    reload: first.reload,
    loadMore: () =>
      more.run(async () => {
        const cursor = latest.current?.nextCursor;
        if (cursor === undefined) return;
        const response = await loadResponse({ ...query, cursor, limit: pageSize });
        edit((before) => (before.nextCursor === cursor ? joined(before, listed(response, decided.current)) : before));
      }),
    remove: (item) => {
      decided.current.add(keyOf(item));
      edit((before) => without(before, item));
    },
    restore: (item) => {
      decided.current.delete(keyOf(item));
      first.reload();
    },
    replace: (item) =>
      edit((before) => ({ ...before, items: before.items.map((one) => (one.app.id === item.app.id ? item : one)) })),
  };
}

const isOfQueue = ofTypes('app.', 'developer.', 'settings.');

/** In full: a review needs no further request. */
function loadPage(query: ReviewQueueQuery, signal?: AbortSignal) {
  return operator.reviewQueue.list({ ...query, view: 'full' }, signal && { signal }).page();
}

async function loadResponse(...given: Parameters<typeof loadPage>): Promise<QueueResponse> {
  const page = await loadPage(...given);
  return { page, readAt: performance.now() };
}

function sizeOf(list: Listed | undefined): number {
  return Math.min(Math.max(list?.items.length ?? 0, pageSize), pageSizeMax);
}

function listed(response: QueueResponse, decided: Set<string>): Listed {
  const { page } = response;
  const items = page.items.filter((item) => !decided.has(keyOf(item)));
  const total = page.total === undefined ? undefined : page.total - (page.items.length - items.length);
  return { from: response, items, total, nextCursor: page.nextCursor };
}

function joined(before: Listed, { items, nextCursor }: Listed): Listed {
  const known = new Set(before.items.map(({ app }) => app.id));
  return { ...before, items: [...before.items, ...items.filter(({ app }) => !known.has(app.id))], nextCursor };
}

function without(before: Listed, { app }: QueueItem): Listed {
  const items = before.items.filter((item) => item.app.id !== app.id);
  const total = before.total === undefined ? undefined : before.total - (before.items.length - items.length);
  return { ...before, items, total };
}

/** An app that is submitted again is another item. */
function keyOf({ app, waitingSince }: QueueItem): string {
  return `${app.id} ${app.etag} ${waitingSince}`;
}
