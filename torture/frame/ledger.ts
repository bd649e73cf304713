import type { Answer } from './http-request.ts';

/**
 * What a client may believe of its change: it is stored; it is not (a refusal, or 503 with `Retry-After`); or it may
 * be either (no answer, or the 500 that says so).
 */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** An update that gives an app, as each of its texts, one that tells the mark. */
export interface UpdateEntry {
  appId: string;
  mark: string;
  outcome: Outcome;
  requestId: string | null;
}

export interface InstallationEntry {
  appId: string;
  workspaceId: string;
  /** Of an acknowledged one. */
  id?: string;
  created: Outcome;
  /** Absent while nobody has asked for its deletion. */
  deleted?: Outcome;
}

/** Every change that clients have asked for, and what they were told of it. */
export class Ledger {
  readonly updates: UpdateEntry[] = [];
  readonly installations: InstallationEntry[] = [];
  /** Answers that no client should ever get. */
  readonly unexpected: string[] = [];
  /** The milliseconds of each answer, and whether it was a success. */
  readonly answers: { ms: number; status: number }[] = [];

  /** What an answer to a change says of it. */
  outcomeOf(answer: Answer | null): Outcome {
    if (!answer) return 'unknown';
    this.answers.push({ ms: answer.ms, status: answer.status });
    const { status, headers, text } = answer;
    if (status < 300) return 'acknowledged';
    if (status === 503 && headers.has('retry-after')) return 'refused';
    if (status === 500 && text.includes('may have taken effect')) return 'unknown';
    this.unexpected.push(`${status} ${headers.get('retry-after') ?? 'without Retry-After'} ${text}`);
    return 'unknown';
  }

  count(outcome: Outcome): number {
    const installed = this.installations.flatMap(({ created, deleted }) => [created, deleted]);
    return [...this.updates.map((update) => update.outcome), ...installed].filter((each) => each === outcome).length;
  }
}
