import type { ReceivedResponse } from '@appregistrar/testkit/http/send';

/**
 * The outcome of a change, as far as its client can know: it is stored; it is not (a refusal, or 503 with `Retry-After`); or
 * either is possible (no response, or a 500 that says so).
 */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** An update that sets every text of an app to one with this mark. */
export interface UpdateEntry {
  appId: string;
  mark: string;
  outcome: Outcome;
  requestId: string | null;
}

export interface InstallationEntry {
  appId: string;
  workspaceId: string;
  /** Known once the installation is acknowledged. */
  id?: string;
  created: Outcome;
  /** Absent until its deletion is requested. */
  deleted?: Outcome;
}

/** Every change that clients have requested, with its outcome. */
export class Ledger {
  readonly updates: UpdateEntry[] = [];
  readonly installations: InstallationEntry[] = [];
  /** Responses that no client should ever receive. */
  readonly unexpected: string[] = [];
  /** The duration and status of each response. */
  readonly responses: { ms: number; status: number }[] = [];

  /** Records the response to a change, and returns its outcome. */
  outcomeOf(response: ReceivedResponse | null): Outcome {
    if (!response) return 'unknown';
    this.responses.push({ ms: response.ms, status: response.status });
    const { status, headers, text } = response;
    const retryAfter = headers['retry-after'];
    if (status < 300) return 'acknowledged';
    if (status === 503 && retryAfter !== undefined) return 'refused';
    if (status === 500 && text.includes('may have taken effect')) return 'unknown';
    this.unexpected.push(`${status} ${retryAfter ?? 'without Retry-After'} ${text}`);
    return 'unknown';
  }

  count(outcome: Outcome): number {
    const installations = this.installations.flatMap(({ created, deleted }) => [created, deleted]);
    return [...this.updates.map((update) => update.outcome), ...installations].filter((each) => each === outcome)
      .length;
  }
}
