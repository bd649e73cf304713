import { hash } from 'node:crypto';
import type { Content } from './app-state.ts';

interface Revision {
  content: Content;
  /** When it was made. */
  at: string;
}

/** All revisions of an app's content, numbered from 1. */
export class Revisions {
  readonly #all: readonly Revision[];
  /** Equal for equal revisions. */
  readonly key: string;

  static of(first: Revision): Revisions {
    return new Revisions([first], keyAfter('', first));
  }

  private constructor(all: readonly Revision[], key: string) {
    this.#all = all;
    this.key = key;
  }

  with(next: Revision): Revisions {
    return new Revisions([...this.#all, next], keyAfter(this.key, next));
  }

  get(revision: number): Revision | undefined {
    return this.#all[revision - 1];
  }
}

function keyAfter(key: string, { content, at }: Revision): string {
  return hash('sha1', JSON.stringify([key, content, at]));
}
