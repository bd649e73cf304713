import type { Answered } from './http-connection.ts';

/** What is asked next, and what is done with its answer; it throws at an answer that must not be. */
export interface Question {
  bytes: Buffer;
  onAnswer: (answer: Answered) => void;
}

export interface LoadOptions {
  /** Where the servers are: connections go to them in turn. */
  ports: number[];
  connections: number;
  seconds: number;
  /** Asked in the same way before, and not counted. */
  warmUpSeconds: number;
  next: () => Question;
}

/** A question that is always the same, and that must be answered with 200. */
export function always(bytes: Buffer): () => Question {
  return inTurn([bytes]);
}

/** These questions in turn, each of which must be answered with 200. */
export function inTurn(requests: Buffer[]): () => Question {
  let at = 0;
  return () => {
    const bytes = requests[at++ % requests.length] as Buffer;
    return { bytes, onAnswer: require200 };
  };
}

export function require200({ status, body }: Answered): void {
  if (status !== 200) throw new Error(`an answer was ${status}: ${body}`);
}
