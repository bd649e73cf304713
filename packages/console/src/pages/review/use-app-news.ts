import { AppRegistryError } from '@appregistrar/client';
import type { AppWithWarnings, OperatorApp } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { ofApp, useChanges } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { happenedTo, type Refusal, type ShownApp } from './refusal.tsx';

/** How often the app is read at most. */
const pauseMs = 1_000;

/** What others have just done to the app that is on screen. */
export interface AppNews {
  news: Refusal | undefined;
  /** Shows the app as it is now; undefined where that is shown, or where there is none. */
  showNow: (() => void) | undefined;
}

/**
 * Follows the app that is on screen. What someone reads is not exchanged for other content before they say so, as they would
 * decide on what they have not seen; and nothing is exchanged while they write.
 */
export function useAppNews(shown: ShownApp | undefined, show: (app: AppWithWarnings) => void): AppNews {
  const [found, setFound] = useState<{ about: OperatorApp; refusal: Refusal }>();
  const id = shown?.app.id;
  const follow = async (before: ShownApp) => {
    const refusal = await findNews(before);
    if (refusal) setFound({ about: before.app, refusal });
    const app = refusal?.app;
    if (app && app.etag === before.app.etag && !isWriting()) show(app);
  };
  useChanges(ofApp(id), () => shown && void follow(shown).catch(() => {}), pauseMs);
  const news = found?.about.id === id ? found?.refusal : undefined;
  const now = news?.app;
  const isShown = !now || !shown || !differs(shown.app, now);
  return { news, showNow: isShown ? undefined : () => show(now) };
}

async function findNews(shown: ShownApp): Promise<Refusal | undefined> {
  try {
    const app = await operator.apps.get(shown.app.id);
    return differs(shown.app, app) ? await happenedTo(shown, app) : undefined;
  } catch (error) {
    if (AppRegistryError.is(error) && error.code === 'app_not_found') return { what: 'deleted' };
    throw error;
  }
}

/** Whether there is something else to decide, or something else to decide on. */
function differs(one: OperatorApp, other: OperatorApp): boolean {
  return stateOf(one) !== stateOf(other);
}

function stateOf({
  etag,
  reviewStatus,
  approved,
  changedSinceApproval,
  submittedAt,
  developerId,
}: OperatorApp): string {
  return JSON.stringify([etag, reviewStatus, approved?.revision, changedSinceApproval, submittedAt, developerId]);
}

function isWriting(): boolean {
  return document.querySelector('main form:focus-within, main textarea:focus') !== null;
}
