import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { getApp } from '../../registry/apps/get-app.ts';
import type { Registry } from '../../registry/registry.ts';
import { type AcceptedCodings, acceptedCodings, type ContentCoding, codingOf } from '../body/content-coding.ts';
import { matchesWeakly } from '../body/entity-tag.ts';
import type { PreparedResponse } from '../listener/shortcut.ts';
import { AppResponseCache, type KeptApp, ownBytes } from './app-response-cache.ts';

/** Raised when the same app is shown differently by a new release. */
const viewVersion = 1;

/** Twelve thousand apps with ten installations. */
const keptBytesMax = 33_554_432;

/** How an answer may be kept. */
export const cacheFields = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' };

export type AppResponse = Omit<PreparedResponse, 'route'>;

/** The good answers to Get App, but for lists that are too long to be held. */
export class AppResponses {
  readonly #registry: Registry;
  readonly #kept = new AppResponseCache(keptBytesMax);
  /** Those that are read now, by revision and id: who asks for one meanwhile gets it, too. */
  readonly #underWay = new Map<string, Promise<KeptApp | null>>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** From what is kept, at once; null when that does not do. */
  atHand(id: string, revision: number, headers: IncomingHttpHeaders): AppResponse | null {
    const kept = this.#kept.find(id, revision);
    if (!kept) return null;
    const accepted = acceptedCodings(headers['accept-encoding']);
    const known = notModified(kept.tag, headers, accepted);
    if (known) return known;
    const coding = codingOf(kept.bodies.identity.length, accepted);
    const body = kept.bodies[coding];
    return body ? withBody(kept.tag, coding, body) : null;
  }

  /** Null when the list is too long. Throws whatever reading throws. */
  async make(id: string, revision: number, headers: IncomingHttpHeaders): Promise<AppResponse | null> {
    const accepted = acceptedCodings(headers['accept-encoding']);
    const known = notModified(viewTag(this.#registry, id, revision), headers, accepted);
    if (known) return known;
    const app = this.#kept.find(id, revision) ?? (await this.#readOnce(id, revision));
    if (!app) return null;
    const coding = codingOf(app.bodies.identity.length, accepted);
    return withBody(app.tag, coding, app.bodies[coding] ?? (await this.#kept.encode(app, coding)));
  }

  #readOnce(id: string, revision: number): Promise<KeptApp | null> {
    const key = `${revision} ${id}`;
    let reading = this.#underWay.get(key);
    if (!reading) {
      reading = this.#read(id).finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, reading);
    }
    return reading;
  }

  async #read(id: string): Promise<KeptApp | null> {
    const { app, revision, whole } = await getApp(this.#registry, id);
    if (!whole) return null;
    const bodies = { identity: ownBytes(JSON.stringify(app)) };
    const kept = { id, revision, tag: viewTag(this.#registry, id, revision), bodies };
    this.#kept.keep(kept);
    return kept;
  }
}

/** Stands for the whole answer without making it (decision 26). */
export function viewTag({ epoch, logoBaseUrl }: Registry, id: string, revision: number): string {
  return createHash('sha256')
    .update(JSON.stringify([viewVersion, epoch, logoBaseUrl, id, revision]))
    .digest('base64url')
    .slice(0, 22);
}

/** A 304 to a reader that has the app already. Its coding is ours to choose: one that the reader has is the best. */
function notModified(
  tag: string,
  { 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
  accepted: AcceptedCodings,
): AppResponse | null {
  if (ifNoneMatch === undefined) return null;
  const known = accepted.find((coding) => matchesWeakly(ifNoneMatch, tagIn(coding, tag)));
  return known ? { status: 304, fields: { ...cacheFields, ...tagField(tag, known) }, body: null } : null;
}

function withBody(tag: string, coding: ContentCoding, body: Buffer): AppResponse {
  return { status: 200, fields: { ...cacheFields, ...bodyFields(tag, coding) }, body };
}

export function bodyFields(tag: string, coding: ContentCoding): Record<string, string> {
  const fields = { 'content-type': 'application/json', ...tagField(tag, coding) };
  return coding === 'identity' ? fields : { ...fields, 'content-encoding': coding };
}

function tagField(tag: string, coding: ContentCoding): Record<string, string> {
  return { etag: `"${tagIn(coding, tag)}"` };
}

/** Strong tags stand for bytes, so each coding has its own. */
function tagIn(coding: ContentCoding, tag: string): string {
  return coding === 'identity' ? tag : `${tag}-${coding}`;
}
