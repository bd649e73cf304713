import { hash } from 'node:crypto';
import type { Content, Time } from './content.ts';

interface Revision {
  content: Content;
  /** When it was made. */
  at: Time;
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

  /** What the content may have been at a time: the last revision until then, or any of the same moment. */
  contentsAt(time: string): Content[] {
    const until = this.#all.filter(({ at }) => at.value <= time);
    return until.filter(({ at }) => at.value === time || at === until.at(-1)?.at).map(({ content }) => content);
  }
}

function keyAfter(key: string, { content, at }: Revision): string {
  return hash('sha1', JSON.stringify([key, content, at]));
}
