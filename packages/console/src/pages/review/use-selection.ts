import type { QueueItem } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';

/** The apps of the queue that are decided on together. */
export interface Selection {
  items: QueueItem[];
  has: (appId: string) => boolean;
  /** Selects an app, or no longer; with `isRange`, all apps from the one before. */
  toggle: (appId: string, isRange?: boolean) => void;
  clear: () => void;
}

export function useSelection(listed: readonly QueueItem[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [latest, setLatest] = useState<string>();
  return {
    items: listed.filter(({ app }) => ids.has(app.id)),
    has: (appId) => ids.has(appId),
    toggle: (appId, isRange = false) => {
      const next = new Set(ids);
      if (isRange) for (const id of between(listed, latest, appId)) next.add(id);
      else if (!next.delete(appId)) next.add(appId);
      setIds(next);
      setLatest(appId);
    },
    clear: () => setIds(new Set()),
  };
}

/** In the order of the queue, both ends included. */
function between(listed: readonly QueueItem[], from: string | undefined, to: string): string[] {
  const at = (id: string | undefined) => listed.findIndex(({ app }) => app.id === id);
  const [one, other] = [at(from ?? to), at(to)].toSorted((a, b) => a - b);
  return listed.slice(Math.max(one ?? 0, 0), (other ?? -1) + 1).map(({ app }) => app.id);
}

/** Fields that each need a look: they say who an app is, and where its users are sent. */
const readAlone = ['name', 'oauthInfo.loginUrl', 'oauthInfo.callbackUrl'];

/** Why an app cannot be approved together with others; undefined if it can. */
export function whyAlone({ kind, warnings, fields, reviewSteps }: QueueItem): string | undefined {
  if (!reviewSteps.includes('approve')) return 'it cannot be approved now';
  if (kind === 'transfer') return 'its developer is new';
  if (kind !== 'change') return 'it was never approved';
  if (warnings.length > 0) return 'it has a warning';
  return fields.some((field) => readAlone.includes(field)) ? 'its name or a URL changed' : undefined;
}
