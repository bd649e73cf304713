import type { Service } from '../harness/service.ts';

/** A database under a constant URL that loses its latest changes. */
export interface Rollback {
  readonly databaseUrl: string;
  /** Whether an ETag from before the mark is still confirmed: its content was not lost. */
  readonly confirmsRetained: boolean;
  /** Later changes will be lost. */
  mark(service: Service): Promise<void>;
  /** Loses every change since the mark. The service keeps running if that is possible. */
  lose(service: Service): Promise<void>;
}
