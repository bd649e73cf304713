import { isDeepStrictEqual } from 'node:util';
import type { DeveloperApp } from '../../packages/server/src/features/apps/app-schemas.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { isForbidden } from './fuzz-text.ts';

type Group = Record<string, string | null | undefined>;

/** The state of an app that follows from all accepted updates. */
export class ExpectedApp {
  #view: DeveloperApp;

  constructor(view: DeveloperApp) {
    this.#view = view;
  }

  /** Throws if an accepted update has done anything but what its body says. */
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
    guarantee(
      isDeepStrictEqual(shown, merged),
      () => `${shortened(body)} made ${shortened(shown)}, not ${shortened(merged)}`,
    );
    const isLater = newUpdatedAt > updatedAt || (newUpdatedAt === updatedAt && isRecent(updatedAt));
    const isSame = isDeepStrictEqual(shown, wanted);
    guarantee(
      isSame ? newUpdatedAt === updatedAt : isLater,
      () => `updatedAt went from ${updatedAt} to ${newUpdatedAt}`,
    );
    for (const text of [shown.name, ...textsOf(update.oauthInfo), ...textsOf(update.listingInfo)]) {
      guarantee(!isForbidden(text, { manyLines: true }), () => `a forbidden text was accepted: ${shortened(text)}`);
    }
    this.#view = view;
  }

  /** Throws if the app has changed since. */
  assertUnchanged(view: DeveloperApp): void {
    guarantee(
      isDeepStrictEqual(view, this.#view),
      () => `an app is ${shortened(view)}, expected ${shortened(this.#view)}`,
    );
  }
}

/** A merge patch (RFC 7396) of text fields. */
function merge(group: object, update: Group = {}): object {
  const fields = Object.entries({ ...group, ...update }).filter(([, field]) => field !== null);
  return Object.fromEntries(fields);
}

function textsOf(group: Group = {}): string[] {
  return Object.values(group).filter((field): field is string => typeof field === 'string');
}

/** Two updates may share a millisecond. */
function isRecent(time: string): boolean {
  return Date.now() - Date.parse(time) < 60_000;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
