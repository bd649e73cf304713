import { isLostStatement, isStaleStatement, reasonOf } from './failure.ts';

/**
 * Whether statements are prepared: parsed once on a connection, and executed by name from then on. Behind a pooler that
 * gives each transaction another connection to the server, the name may be unknown there, or in use already. A name is
 * a hash of the text, so it never stands for another statement, regardless of the program that prepared it.
 */
export class PreparedStatements {
  readonly #onGivenUp: (reason: string) => void;
  #areUsed: boolean;

  constructor(areUsed: boolean, onGivenUp: (reason: string) => void) {
    this.#areUsed = areUsed;
    this.#onGivenUp = onGivenUp;
  }

  get areUsed(): boolean {
    return this.#areUsed;
  }

  /**
   * Whether the same work succeeds without names: the server refused to execute a prepared statement, and so did not.
   * If a pooler is the cause, gives up names for as long as this process runs.
   */
  areCauseOf(error: unknown): boolean {
    if (isLostStatement(error)) this.#giveUp(reasonOf(error));
    return isLostStatement(error) || isStaleStatement(error);
  }

  #giveUp(reason: string): void {
    if (!this.#areUsed) return;
    this.#areUsed = false;
    this.#onGivenUp(reason);
  }
}
