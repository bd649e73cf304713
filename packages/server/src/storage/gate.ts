import type { GateToken } from './queries/access-tokens.ts';

/**
 * The two small questions that nearly every request asks. Each is answered by what is committed at a moment after it
 * was asked, whichever process has committed it.
 */
export interface Gate {
  /** The token with this hash; null when there is none. */
  findToken(hash: string): Promise<GateToken | null>;
  /** The number that changes with whatever the platform sees of an app; null when there is no app with this id. */
  findPlatformRevision(appId: string): Promise<number | null>;
}

/** What is asked in one turn of the event loop, each question once. */
export interface GateQueries {
  hashes: string[];
  appIds: string[];
}

/** Without what is not there. */
export interface GateResults {
  tokens: ReadonlyMap<string, GateToken>;
  revisions: ReadonlyMap<string, number>;
}

/**
 * Puts together what the requests of one turn of the event loop ask, and asks it once all of them have arrived: then
 * one look at the database is current for each, and many of them cost little more than one.
 */
export class BatchLoader implements Gate {
  readonly #ask: (questions: GateQueries) => Promise<GateResults>;
  readonly #atOnceMax: number;
  #open: Turn | undefined;
  #underWay = 0;

  /** `ask` is called no more than so many times at once; what comes meanwhile waits, and is asked together. */
  constructor(ask: (questions: GateQueries) => Promise<GateResults>, atOnceMax: number) {
    this.#ask = ask;
    this.#atOnceMax = atOnceMax;
  }

  findToken(hash: string): Promise<GateToken | null> {
    return this.#turn().tokens.ask(hash);
  }

  findPlatformRevision(appId: string): Promise<number | null> {
    return this.#turn().revisions.ask(appId);
  }

  #turn(): Turn {
    if (!this.#open) {
      this.#open = new Turn();
      this.#begin();
    }
    return this.#open;
  }

  /** Has the open turn asked, unless it waits for its time already or as many as may be are under way. */
  #begin(): void {
    const turn = this.#open;
    if (!turn || turn.isBegun || this.#underWay === this.#atOnceMax) return;
    turn.isBegun = true;
    this.#underWay += 1;
    // After whatever else this turn of the event loop has read from its connections.
    setImmediate(() => this.#finish(turn));
  }

  async #finish(turn: Turn): Promise<void> {
    this.#open = undefined;
    try {
      const { tokens, revisions } = await this.#ask({ hashes: turn.tokens.asked(), appIds: turn.revisions.asked() });
      turn.tokens.answer(tokens);
      turn.revisions.answer(revisions);
    } catch (error) {
      turn.tokens.fail(error);
      turn.revisions.fail(error);
    }
    this.#underWay -= 1;
    this.#begin();
  }
}

class Turn {
  isBegun = false;
  readonly tokens = new Questions<GateToken>();
  readonly revisions = new Questions<number>();
}

/** Questions of one kind, and who waits for their answers. */
class Questions<Answer> {
  readonly #waiting = new Map<string, PromiseWithResolvers<Answer | null>>();

  ask(key: string): Promise<Answer | null> {
    let waiting = this.#waiting.get(key);
    if (!waiting) {
      waiting = Promise.withResolvers<Answer | null>();
      // Who has asked may have been refused for something else meanwhile, and wait no more.
      waiting.promise.catch(() => {});
      this.#waiting.set(key, waiting);
    }
    return waiting.promise;
  }

  asked(): string[] {
    return [...this.#waiting.keys()];
  }

  answer(answers: ReadonlyMap<string, Answer>): void {
    for (const [key, { resolve }] of this.#waiting) resolve(answers.get(key) ?? null);
  }

  fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}
