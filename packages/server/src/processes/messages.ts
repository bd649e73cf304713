import type { Count } from '../http/limits/request-counts.ts';
import type { Measured } from '../http/listener/metrics.ts';

/** How long a process has to respond: longer than measuring may take. */
export const processRespondMsMax = 3_000;
/** How long a supervisor has, which waits for the processes. */
export const supervisorRespondMsMax = processRespondMsMax + 1_000;

export type ListenerName = 'public' | 'operator';

/** What a process reports about itself once it serves: the fields of the log line. */
export interface Served {
  public: string;
  operator: string;
  engine: string;
}

/** A request to count, or to release from the window that ends then. */
export interface CountRequest {
  key: string;
  perMinute: number;
  releasedFrom?: number | null;
}

/** The measurements of one process. */
export type Measurements = Measured[];

/** What a process requests of its supervisor. */
export interface SupervisorHandlers {
  /** Before anything else; the sockets that others listen on are handed over before the response. */
  join(argument: null): { isFirst: boolean };
  /** Once it serves. */
  serving(served: Served): null;
  count(requests: CountRequest[]): Count[];
  /** Why the other processes are not ready; null if all are. */
  readinessOfOthers(argument: null): Promise<string | null>;
  /** The measurements of all processes but this one, which gives its own. Those of the supervisor come first. */
  measurementsOfOthers(own: Measurements): Promise<Measurements[]>;
}

/** What a supervisor requests of a process that serves. */
export interface ProcessHandlers {
  /** Why it is not ready; null if it is. */
  readiness(argument: null): Promise<string | null>;
  /** What is its own: not what it would measure of the whole registry. */
  measurements(argument: null): Promise<Measurements>;
  /** Has it drain and end. */
  end(argument: null): null;
}
