import type { IncomingHttpHeaders } from 'node:http';
import { type AcceptedCodings, acceptedCodings, type ContentCoding, codingOf } from '../content-coding.ts';
import { matchesWeakly } from '../entity-tag.ts';
import type { ReadyAnswer } from '../shortcut.ts';
import type { KeptApp } from './kept-apps.ts';

/** How an answer may be kept. */
export const cacheFields = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' };

/** The answer from what is kept; null when there is no body yet in the coding that the reader wants. */
export function answerFrom(kept: KeptApp, headers: IncomingHttpHeaders): Omit<ReadyAnswer, 'route'> | null {
  const accepted = acceptedCodings(headers['accept-encoding']);
  const known = knownCoding(headers['if-none-match'], accepted, kept.tag);
  if (known) return { status: 304, fields: { ...cacheFields, ...tagField(kept.tag, known) }, body: null };
  const coding = codingOf(kept.bodies.identity.length, accepted);
  const body = kept.bodies[coding];
  return body ? { status: 200, fields: { ...cacheFields, ...bodyFields(kept.tag, coding) }, body } : null;
}

/** The coding in which a reader has the app already. It is ours to choose: one that the reader has is the best. */
export function knownCoding(
  ifNoneMatch: string | undefined,
  accepted: AcceptedCodings,
  tag: string,
): ContentCoding | undefined {
  if (ifNoneMatch === undefined) return undefined;
  return accepted.find((coding) => matchesWeakly(ifNoneMatch, tagIn(coding, tag)));
}

export function bodyFields(tag: string, coding: ContentCoding): Record<string, string> {
  const fields = { 'content-type': 'application/json', ...tagField(tag, coding) };
  return coding === 'identity' ? fields : { ...fields, 'content-encoding': coding };
}

export function tagField(tag: string, coding: ContentCoding): Record<string, string> {
  return { etag: `"${tagIn(coding, tag)}"` };
}

/** Strong tags stand for bytes, so each coding has its own. */
function tagIn(coding: ContentCoding, tag: string): string {
  return coding === 'identity' ? tag : `${tag}-${coding}`;
}
