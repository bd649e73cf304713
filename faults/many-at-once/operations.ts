import type { DeveloperApp, OperatorApp, PlatformApp } from '../../packages/server/src/features/apps/app-schemas.ts';
import type { QueueItem } from '../../packages/server/src/features/apps/review/review-queue.ts';
import type { ReviewStep } from '../../packages/server/src/features/apps/review/review-status.ts';
import type { Revert } from '../../packages/server/src/features/apps/revisions/revert-app.ts';
import type { OperatorInstallation } from '../../packages/server/src/features/installations/installation.ts';
import type { ExistingChanges } from '../../packages/server/src/features/settings/settings.ts';
import type {
  SuspendedDeveloper,
  UnsuspendedDeveloper,
} from '../../packages/server/src/features/suspension/suspensions.ts';
import type { Mode } from './app-state.ts';
import type { Content } from './content.ts';
import type { Interval } from './linearizability.ts';

/** A request about one app. */
export type AppRequest =
  | { kind: 'update'; given: Partial<Content>; ifRevision?: number }
  | { kind: 'read' }
  | { kind: 'get' }
  | { kind: 'show' }
  | { kind: 'install'; workspaceId: string; byOwner: boolean }
  | { kind: 'remove' | 'enable' | 'disable'; installationId: string }
  | { kind: 'review'; step: ReviewStep; reason?: string; ifRevision?: number; disables?: boolean }
  | { kind: 'revert'; to: Revert; ifRevision?: number };

/** A request about all apps, which is in the history of each. */
export type RegistryRequest =
  | { kind: 'switch'; mode: Mode; existing?: ExistingChanges }
  | { kind: 'settings' }
  | { kind: 'queue' }
  | { kind: 'suspend'; developerId: string; reason: string }
  | { kind: 'unsuspend'; developerId: string };

/** A view, or the problem code of a refusal. `revision` comes from the `ETag`. */
export interface AppResponse {
  refusal?: string;
  revision?: number;
  developerApp?: DeveloperApp;
  platformApp?: PlatformApp;
  /** The `ETag` of Get App. */
  platformTag?: string;
  operatorApp?: OperatorApp;
  installation?: Omit<OperatorInstallation, 'updatedAt' | 'etag'>;
  mode?: Mode;
  /** The review queue, of all apps. */
  queue?: QueueItem[];
  suspended?: SuspendedDeveloper;
  unsuspended?: UnsuspendedDeveloper;
}

export interface Operation extends Interval {
  request: AppRequest | RegistryRequest;
  response: AppResponse;
  /** The process that responded: its number, or the command that was one. */
  process: number | 'command';
}
