import { AppRegistryError } from '@appregistrar/client';
import type { AppWithWarnings, EventSummary, OperatorApp } from '@appregistrar/client/operator';
import { useRef, useState } from 'preact/hooks';
import { ofTypes, useChanges } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { happenedTo, type Refusal, type ShownApp } from './refusal.tsx';

/** How often the app is read at most. */
const pauseMs = 1_000;

/** What others have just done to the app that is on screen. */
export interface AppNews {
  news: Refusal | undefined;
  /** Whether the user was writing then. */
  wasWriting: boolean;
  /** Shows the app as it is now; undefined where that is shown, or where there is none. */
  showNow: (() => void) | undefined;
}

interface Found {
  before: OperatorApp;
  /** Undefined once it is deleted. */
  now: AppWithWarnings | undefined;
  refusal: Refusal | undefined;
  wasWriting: boolean;
}

/**
 * Follows the app that is on screen. Content on screen is replaced only on request, so that no one
 * decides on what they have not seen, and never while they write.
 */
export function useAppNews(shown: ShownApp | undefined, show: (app: AppWithWarnings) => void): AppNews {
  const [found, setFound] = useState<Found>();
  const app = shown?.app;
  const isDecided = useRef(false);
  const concerns = (event: EventSummary) => {
    if (event.appId !== app?.id) return false;
    isDecided.current ||= isDecision(event);
    return true;
  };
  const follow = async ({ app: before }: ShownApp) => {
    // What an event reports is new. Without an event, the times are compared.
    const wasDecided = isDecided.current;
    isDecided.current = false;
    const news = { ...(await findNews(before, wasDecided)), before, wasWriting: isWriting() };
    const { now } = news;
    if (now && !differs(before, now)) {
      // What was found before may be over, such as a submission that was withdrawn at once.
      setFound((earlier) => (earlier?.now && differs(earlier.now, now) ? undefined : earlier));
      return;
    }
    setFound(news);
    if (now && now.etag === before.etag && !news.wasWriting) show(now);
  };
  useChanges(concerns, () => shown && void follow(shown).catch(() => {}), pauseMs);
  return newsOf(app, found, show);
}

const isDecision = ofTypes('app.approved', 'app.rejected', 'app.revoked', 'app.change_');

const isDeleted = { now: undefined, refusal: { what: 'deleted' as const } };

async function findNews(before: OperatorApp, isDecided: boolean): Promise<Pick<Found, 'now' | 'refusal'>> {
  try {
    const now = await operator.apps.get(before.id);
    if (now.deletedAt) return isDeleted;
    return { now, refusal: differs(before, now) ? await happenedTo(before, now, isDecided) : undefined };
  } catch (error) {
    if (!AppRegistryError.is(error) || error.code !== 'app_not_found') throw error;
    return isDeleted;
  }
}

/** After an action of the user, the news is outdated. */
function newsOf(app: OperatorApp | undefined, found: Found | undefined, show: (app: AppWithWarnings) => void): AppNews {
  const isAsBefore = app && found && !differs(app, found.before);
  const isAsNow = app && found?.now && !differs(app, found.now);
  if (!found || !(isAsBefore || isAsNow)) return { news: undefined, wasWriting: false, showNow: undefined };
  const { now, refusal, wasWriting } = found;
  return { news: refusal, wasWriting, showNow: now && !isAsNow ? () => show(now) : undefined };
}

/** Whether there is something else to decide, or something else to decide on. */
function differs(one: OperatorApp, other: OperatorApp): boolean {
  return stateOf(one) !== stateOf(other);
}

function stateOf(app: OperatorApp): string {
  const { id, etag, reviewStatus, approved, changedSinceApproval, submittedAt, developerId } = app;
  return JSON.stringify([id, etag, reviewStatus, approved?.revision, changedSinceApproval, submittedAt, developerId]);
}

function isWriting(): boolean {
  return document.querySelector('main form:focus-within, main textarea:focus') !== null;
}
