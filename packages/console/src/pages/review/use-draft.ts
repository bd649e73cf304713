import { useMemo, useState } from 'preact/hooks';
import { useHolder } from '../../holder.ts';
import { type Draft, emptyDraft, readDraft, saveDraft } from './drafts.ts';
import type { OpenedApp } from './use-opened-app.ts';

export interface DraftState {
  draft: Draft;
  /** The earlier revision that it was written about, if it was. */
  writtenAbout: number | undefined;
  write: (draft: Draft) => void;
}

/** What the reviewer has written about the app that is open. */
export function useDraft(opened: OpenedApp | undefined): DraftState {
  const holder = useHolder();
  const { id = '', revision = 0 } = opened?.app ?? {};
  const stored = useMemo(() => readDraft(id, holder), [id]);
  const [written, setWritten] = useState<{ id: string; draft: Draft }>();
  const isWritten = written?.id === id;
  return {
    draft: isWritten ? written.draft : (stored ?? emptyDraft),
    writtenAbout: !isWritten && stored && stored.revision !== revision ? stored.revision : undefined,
    write: (draft) => {
      saveDraft(id, { ...draft, revision }, holder);
      setWritten({ id, draft });
    },
  };
}
