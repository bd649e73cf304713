import type { AppWithWarnings, OperatorApp, QueueItem } from '@appregistrar/client/operator';
import { useEffect, useRef, useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { type ShownError, shownError } from '../../shown-error.ts';
import type { Reviewers } from './claim-note.tsx';
import type { Queue } from './use-queue.ts';

/** The app that is reviewed: of the queue, or else read by itself. */
export interface OpenedApp extends Reviewers {
  app: OperatorApp | AppWithWarnings;
  /** Absent for an app that is not in the queue. */
  item?: QueueItem | undefined;
  /** The steps that its state allows. */
  reviewSteps: readonly string[];
}

interface OpenedAppState {
  opened: OpenedApp | undefined;
  error: ShownError | undefined;
  /** Shows the app as it was read just now, instead of what the queue says of it. */
  show: (app: AppWithWarnings) => void;
  /** Shows who is at the app, wherever it is shown. */
  showReviewers: (reviewers: Reviewers) => void;
  reload: () => void;
}

/**
 * The app of the address. The queue has all that a review needs, so that no request is sent for an app in it. One that
 * leaves the queue stays open as it was.
 */
export function useOpenedApp(id: string | undefined, { items, error: queueError, replace }: Queue): OpenedAppState {
  const [read, setRead] = useState<AppWithWarnings>();
  const [failure, setFailure] = useState<{ id: string; error: ShownError }>();
  const [known, setKnown] = useState<KnownReviewers>();
  const [reloads, setReloads] = useState(0);
  const held = useRef<QueueItem | undefined>(undefined);
  const listed = items?.find(({ app }) => app.id === id);
  held.current = heldItem(listed, held.current?.app.id === id ? held.current : undefined);
  const isRead = read !== undefined && read.id === id;
  const isMissing = !isRead && held.current === undefined && (items !== undefined || queueError !== undefined);
  const isNeeded = id !== undefined && (isMissing || reloads > 0);
  useEffect(() => {
    setReloads(0);
    setKnown(undefined);
  }, [id]);
  const show = (app: AppWithWarnings) => {
    setRead(app);
    setKnown(undefined);
  };
  useEffect(() => {
    if (!isNeeded) return;
    const controller = new AbortController();
    setFailure(undefined);
    operator.apps.get(id, { signal: controller.signal }).then(show, (error: unknown) => {
      if (!controller.signal.aborted) setFailure({ id, error: shownError(error) });
    });
    return () => controller.abort();
  }, [id, isNeeded, reloads]);
  const opened = isRead ? openedAlone(read) : held.current && openedInQueue(held.current);
  return {
    opened: opened && known && known.appId === id ? { ...opened, ...known.reviewers } : opened,
    error: failure?.id === id ? failure?.error : undefined,
    show,
    showReviewers: ({ claim, presence }) => {
      if (id !== undefined) setKnown({ appId: id, reviewers: { claim, presence } });
      if (listed) replace(withReviewers(listed, { claim, presence }));
    },
    reload: () => setReloads((before) => before + 1),
  };
}

/** Newer than those of the app or of the queue. */
interface KnownReviewers {
  appId: string;
  reviewers: Reviewers;
}

function withReviewers({ claim: _, presence: __, ...item }: QueueItem, { claim, presence }: Reviewers): QueueItem {
  return { ...item, ...(claim && { claim }), ...(presence && { presence: [...presence] }) };
}

/** The queue follows the registry, but content that someone looks at stays until they want to see the new one. */
function heldItem(listed: QueueItem | undefined, held: QueueItem | undefined): QueueItem | undefined {
  return listed && (!held || held.app.etag === listed.app.etag) ? listed : held;
}

export function openedInQueue(item: QueueItem): OpenedApp {
  const { app, reviewSteps, claim, presence } = item;
  return { app, item, reviewSteps, claim, presence };
}

function openedAlone(app: AppWithWarnings): OpenedApp {
  const { reviewSteps, claim, presence } = app;
  return { app, reviewSteps, claim, presence };
}
