import assert from 'node:assert/strict';
import type { Refusal } from '../programs/command-line.ts';
import { eventsDuring } from '../registry/recorded.ts';
import type { Line } from './line.ts';
import type { Twin } from './parity.ts';

/** A way into a registry. */
export interface ParityInterface {
  readonly twin: Twin;
  /** Whose changes the events tell of. */
  readonly actor: string;
  ask(line: Line): Promise<Answered>;
}

/** What a door says: an answer, or the code, title, detail and faults of a refusal. */
export type Answered = { answer: object } | { refusal: Pick<Refusal, 'code' | 'title' | 'detail' | 'errors'> };

/** What came of it, as it can be compared: what the door said, and the events of what it changed. */
export async function outcomeAt(door: ParityInterface, line: Line): Promise<object> {
  const { registry, names } = door.twin;
  let answered: Answered | undefined;
  const events = await eventsDuring(registry, async () => {
    answered = await door.ask(line);
  });
  for (const { actor } of events) assert.equal(actor, door.actor);
  return names.named({ ...answered, events }) as object;
}
