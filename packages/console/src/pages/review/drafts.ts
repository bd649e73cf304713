import type { FieldMark } from '../../evidence/field-mark.tsx';
import type { Holder } from '../../holder.ts';

/** What a reviewer has written about an app and not sent yet. */
export interface Draft {
  /** For the developer. */
  message: string;
  code: string;
  /** For reviewers. */
  note: string;
  marks: FieldMark[];
}

/** A draft as the browser keeps it. */
interface StoredDraft extends Draft {
  /** The revision that it was written about. */
  revision: number;
  /** Who has written it. */
  writer: string;
  savedAt: number;
}

export const emptyDraft: Draft = { message: '', code: '', note: '', marks: [] };

const prefix = 'review-draft ';
const storedMs = 30 * 86_400_000;

export function isEmpty({ message, code, note, marks }: Draft): boolean {
  return marks.length === 0 && [message, code, note].every((text) => text.trim() === '');
}

/** The draft of this person about an app, and the revision that it was written about. */
export function readDraft(appId: string, holder: Holder): (Draft & { revision: number }) | undefined {
  const stored = parse(localStorage.getItem(prefix + appId));
  return stored?.writer === writerName(holder) ? stored : undefined;
}

/** Keeps a draft beyond a reload and the end of the session. An empty one is removed. */
export function saveDraft(appId: string, draft: Draft & { revision: number }, holder: Holder): void {
  if (isEmpty(draft)) {
    removeDraft(appId);
    return;
  }
  const stored: StoredDraft = { ...draft, writer: writerName(holder), savedAt: Date.now() };
  try {
    localStorage.setItem(prefix + appId, JSON.stringify(stored));
  } catch {
    // Without room, the draft lasts as long as the page.
  }
}

export function removeDraft(appId: string): void {
  localStorage.removeItem(prefix + appId);
}

/** Removes the drafts of everyone else, as another person uses this browser now, and those of more than 30 days ago. */
export function removeStrangeDrafts(holder: Holder): void {
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(prefix))) {
    const stored = parse(localStorage.getItem(key));
    const isRetained = stored?.writer === writerName(holder) && Date.now() - stored.savedAt < storedMs;
    if (!isRetained) localStorage.removeItem(key);
  }
}

/** A person has a new token from time to time, of the same name. */
export function writerName({ holderId, name }: Holder): string {
  return name ?? holderId;
}

/** Undefined for what no release of this console has stored. */
function parse(text: string | null): StoredDraft | undefined {
  try {
    const stored = JSON.parse(text ?? '') as StoredDraft;
    return Array.isArray(stored.marks) ? { ...emptyDraft, ...stored } : undefined;
  } catch {
    return undefined;
  }
}
