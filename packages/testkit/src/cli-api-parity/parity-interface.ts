import assert from 'node:assert/strict';
import type { Refusal } from '../programs/command-line.ts';
import { eventsDuring } from '../registry/recorded.ts';
import type { ParityCase } from './parity-case.ts';
import type { ParityRegistry } from './parity-registry.ts';

/** One of the interfaces to a registry. */
export interface ParityInterface {
  readonly target: ParityRegistry;
  /** The actor in the events of its changes. */
  readonly actor: string;
  /** The reason that the events of a case must hold, if this interface always takes one. */
  reasonOf(parityCase: ParityCase): string | undefined;
  call(parityCase: ParityCase): Promise<Result>;
}

/** What a call returns, or the code, title, detail and validation errors of its refusal. */
export type Result =
  | { response: object; isReplayed?: boolean }
  | { refusal: Pick<Refusal, 'code' | 'title' | 'detail' | 'errors'> };

/** What came of a case, with names in place of ids so that it can be compared. */
interface Outcome {
  /** The code of the refusal, if it was refused. */
  refused: string | undefined;
  result: unknown;
  /** The events of its changes. */
  events: unknown;
}

/** Runs a case by one interface. */
export async function outcomeOf(used: ParityInterface, parityCase: ParityCase): Promise<Outcome> {
  const { registry, names } = used.target;
  let result: Result | undefined;
  const events = await eventsDuring(registry, async () => {
    result = await used.call(parityCase);
  });
  const wanted = used.reasonOf(parityCase);
  for (const { actor, reason } of events) {
    assert.equal(actor, used.actor);
    if (wanted !== undefined) assert.equal(reason, wanted);
  }
  return {
    refused: result && 'refusal' in result ? result.refusal.code : undefined,
    result: names.replaceIds(result),
    events: names.replaceIds(events),
  };
}
