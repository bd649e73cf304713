import { isDeepStrictEqual } from 'node:util';
import type { DeveloperApp } from '../../packages/server/src/contract/app.ts';
import { promise } from '../frame/torture.ts';
import { isForbidden } from './fuzz-text.ts';

type Member = string | null | undefined;
type Group = Record<string, Member>;

/** What an app must be by all that was accepted: each answer is held against it, and takes its place. */
export class KeptApp {
  #view: DeveloperApp;

  constructor(view: DeveloperApp) {
    this.#view = view;
  }

  /** Throws when an accepted update has done anything but what its body says. */
  accept(body: unknown, view: DeveloperApp): void {
    const update = body as { name?: string; listingInfo?: Group; oauthInfo?: Group };
    const { updatedAt, ...wanted } = this.#view;
    const merged = {
      ...wanted,
      ...(update.name !== undefined && { name: update.name }),
      listingInfo: merge(wanted.listingInfo, update.listingInfo),
      oauthInfo: merge(wanted.oauthInfo, update.oauthInfo),
    };
    const { updatedAt: newUpdatedAt, ...shown } = view;
    promise(isDeepStrictEqual(shown, merged), () => `${shortly(body)} made ${shortly(shown)}, not ${shortly(merged)}`);
    const isMoved = newUpdatedAt > updatedAt || (newUpdatedAt === updatedAt && isRecent(updatedAt));
    const isSame = isDeepStrictEqual(shown, wanted);
    promise(isSame ? newUpdatedAt === updatedAt : isMoved, () => `updatedAt went from ${updatedAt} to ${newUpdatedAt}`);
    for (const text of [shown.name, ...textsOf(update.oauthInfo), ...textsOf(update.listingInfo)]) {
      promise(!isForbidden(text, { manyLines: true }), () => `a text was accepted that must not be: ${shortly(text)}`);
    }
    this.#view = view;
  }

  /** Throws when the app is another one than it was left as. */
  assertIs(view: DeveloperApp): void {
    promise(
      isDeepStrictEqual(view, this.#view),
      () => `an app is ${shortly(view)}, and was left ${shortly(this.#view)}`,
    );
  }
}

/** RFC 7396, for members that are texts. */
function merge(group: object, update: Group = {}): object {
  const members = Object.entries({ ...group, ...update }).filter(([, member]) => member !== null);
  return Object.fromEntries(members);
}

function textsOf(group: Group = {}): string[] {
  return Object.values(group).filter((member): member is string => typeof member === 'string');
}

/** Two updates of one millisecond. */
function isRecent(time: string): boolean {
  return Date.now() - Date.parse(time) < 60_000;
}

function shortly(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
