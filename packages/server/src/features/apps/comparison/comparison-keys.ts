import type { AppContent, AppRow, ComparisonKeyRow, ProtectedNameRow } from '../../../storage/tables.ts';
import { appContentFields, nameKey, readableApprovedContent } from '../app-content.ts';
import { approvedInEffect } from '../next-app.ts';
import type { ReviewWarning } from '../review/review-warning.ts';
import { type Host, hostKey, keysAbove, readHost, siteOf, urlHost } from './hosts.ts';
import { caselessSkeleton } from './skeleton.ts';

/** The fields by which apps are found and compared. */
export const comparedFields = appContentFields.filter((field) => field.comparedAs !== null);

/** A name or host, and what it is compared by. The skeleton of a host is that of its site. */
interface ComparisonKey extends Pick<ComparisonKeyRow, 'kind' | 'value' | 'skeleton'> {
  /** The name as it is, or the host as people read it. */
  text: string;
  /** The key of the name, or of the site of the host. */
  owned: string;
  /** The skeleton of the name or of the whole host, by which protected ones are found. */
  protectedBy: string;
}

/** A name or host in the content of an app. */
interface ContentKey extends ComparisonKey {
  field: (typeof comparedFields)[number];
}

/** A current name or host of an app, which is compared with those of others. */
export interface AppKey extends ContentKey {
  app: AppRow;
}

/** A warning and the app that it is about. */
export interface AppWarning {
  app: AppRow;
  warning: ReviewWarning;
}

/** A name or URL of an app. */
interface ComparedText extends Pick<ComparisonKeyRow, 'source'> {
  field: ContentKey['field'];
  text: string;
}

/** The names and hosts by which an app is found and compared. */
export function comparisonKeyRows(app: AppRow): ComparisonKeyRow[] {
  return textsToCompare(app).flatMap(({ source, field, text }) =>
    contentKeys(field, text).map((key) => {
      const { kind, value, skeleton } = key;
      return { app_id: app.id, source, field: field.column, kind, value, skeleton };
    }),
  );
}

/**
 * What they are made from, at a fraction of the cost: the names and URLs of its approved content that are in effect, and the
 * current ones that differ from them. An APPROVED app without a snapshot was approved as it is.
 */
export function textsToCompare(app: AppRow): ComparedText[] {
  const known = readableApprovedContent(app) && approvedInEffect(app);
  const approved = known ?? (app.review_status === 'APPROVED' ? app : null);
  const changed = comparedFields.filter(({ column }) => app[column] !== approved?.[column]);
  return [...(approved ? textsIn(approved, 'approved', comparedFields) : []), ...textsIn(app, 'current', changed)];
}

/** The names and hosts of an app's current content. */
export function comparisonKeysIn(content: AppContent): ContentKey[] {
  return textsIn(content, 'current', comparedFields).flatMap(({ field, text }) => contentKeys(field, text));
}

function textsIn(content: AppContent, source: ComparedText['source'], fields: ComparedText['field'][]): ComparedText[] {
  return fields.flatMap((field) => {
    const text = content[field.column];
    return text === null ? [] : [{ source, field, text }];
  });
}

/** None of a URL without a host. */
function contentKeys(field: ContentKey['field'], text: string): ContentKey[] {
  if (field.comparedAs === 'name') return [{ field, ...nameComparisonKey(text) }];
  const host = urlHost(text);
  return host ? [{ field, ...hostComparisonKey(host) }] : [];
}

function nameComparisonKey(name: string): ComparisonKey {
  const value = nameKey(name);
  const skeleton = caselessSkeleton(name);
  return { kind: 'name', text: name, value, skeleton, owned: value, protectedBy: skeleton };
}

function hostComparisonKey(host: Host): ComparisonKey {
  const site = siteOf(host);
  return {
    ...{ kind: 'host', text: host.unicode, value: hostKey(host), skeleton: hostSkeleton(site) },
    ...{ owned: hostKey(site), protectedBy: hostSkeleton(host) },
  };
}

/** The skeleton of a host as people read it, with its labels in the order of the key. */
function hostSkeleton(host: Host): string {
  return caselessSkeleton(hostKey({ ...host, name: host.unicode }));
}

/** Protected names of more words, of which a single letter is none, are found only where they are a whole name. */
const wordsMax = 6;
/** Words, spaces and signs: bounds what a name of single letters costs. */
const partsMax = 19;

/** What a protected name or host is compared by: one key for all that look alike. */
export function protectedKey({ kind, value }: Pick<ProtectedNameRow, 'kind' | 'value'>): string {
  const host = kind === 'host' ? readHost(value) : null;
  return host ? hostSkeleton(host) : caselessSkeleton(value);
}

/** The keys of the protected names or hosts that a name contains, or that a host is or is below. */
export function protectedKeysIn({ kind, text, protectedBy }: ComparisonKey): string[] {
  if (kind === 'host') return keysAbove(protectedBy);
  // As people see it: an ignorable character ends no word.
  const visible = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // Both, because \u24c2 is a letter of a word, and \u2122 ends one.
  const spelled = visible.replace(/\p{S}/gu, (symbol) => symbol.normalize('NFKC'));
  return [protectedBy, ...new Set([visible, spelled].flatMap(keysOfWords))];
}

/** The skeletons of the words of a name, and of words in a row, each also with the signs beside it. */
function keysOfWords(name: string): string[] {
  // Those of words in a row are theirs joined, because nothing combines across the end of a word.
  const parts = name.match(/[\p{L}\p{N}\p{M}]+|\p{White_Space}+|[^\p{L}\p{N}\p{M}\p{White_Space}]+/gu) ?? [];
  // The skeleton of the name itself.
  if (parts.length === 1) return [];
  const skeletons = parts.map(caselessSkeleton);
  const isSpace = parts.map((part) => /^\p{White_Space}/u.test(part));
  const isWord = parts.map((part) => /^[\p{L}\p{N}\p{M}]/u.test(part));
  const keys: string[] = [];
  for (let from = 0; from < parts.length; from++) {
    if (isSpace[from]) continue;
    let words = 0;
    for (let to = from; to < Math.min(parts.length, from + partsMax); to++) {
      if (isWord[to] && [...(parts[to] ?? '')].length > 1) words += 1;
      if (words > wordsMax) break;
      if (!isSpace[to]) keys.push(skeletons.slice(from, to + 1).join(''));
    }
  }
  return keys;
}
