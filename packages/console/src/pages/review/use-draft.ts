import { useMemo, useState } from 'preact/hooks';
import { useHolder } from '../../holder.ts';
import { type Draft, emptyDraft, readDraft, saveDraft } from './drafts.ts';
import type { OpenedApp } from './use-opened-app.ts';

export interface DraftState {
  draft: Draft;
  /** The earlier revision that it was written about, if it was. */
  writtenAbout: number | undefined;
  write: (draft: Draft) => void;
  /** Brings back what was written about an app, which may not be open. */
  restore: (about: { appId: string; revision: number; draft: Draft }) => void;
}

/** What the reviewer has written about the app that is open. */
export function useDraft(opened: OpenedApp | undefined): DraftState {
  const holder = useHolder();
  const { id = '', revision = 0 } = opened?.app ?? {};
  const stored = useMemo(() => readDraft(id, holder), [id]);
  const [written, setWritten] = useState<{ id: string; draft: Draft }>();
  const isWritten = written?.id === id;
  const write: DraftState['restore'] = ({ appId, revision: about, draft }) => {
    saveDraft(appId, { ...draft, revision: about }, holder);
    setWritten({ id: appId, draft });
  };
  return {
    draft: isWritten ? written.draft : (stored ?? emptyDraft),
    writtenAbout: !isWritten && stored && stored.revision !== revision ? stored.revision : undefined,
    write: (draft) => write({ appId: id, revision, draft }),
    restore: write,
  };
}
