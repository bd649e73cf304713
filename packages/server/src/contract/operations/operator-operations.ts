import { callerOperations } from '../../features/access/caller-operations.ts';
import { tokenOperations } from '../../features/access/token-operations.ts';
import { appOperations } from '../../features/apps/app-operations.ts';
import { reviewClaimOperations } from '../../features/apps/review/claims/claim-operations.ts';
import { reviewNoteOperations } from '../../features/apps/review/notes/note-operations.ts';
import { protectedNameOperations } from '../../features/apps/review/protected-names/protected-name-operations.ts';
import { reviewOperations } from '../../features/apps/review/review-operations.ts';
import { revisionOperations } from '../../features/apps/revisions/revision-operations.ts';
import { developerOperations } from '../../features/developers/developer-operations.ts';
import { eventOperations } from '../../features/events/event-operations.ts';
import { installationOperations } from '../../features/installations/installation-operations.ts';
import { logoOperations } from '../../features/logos/logo-operations.ts';
import { overviewOperations } from '../../features/overview/overview-operations.ts';
import { reasonTemplateOperations } from '../../features/reason-templates/reason-templates.ts';
import { searchOperations } from '../../features/search/search-operations.ts';
import { settingOperations } from '../../features/settings/setting-operations.ts';
import { webhookOperations } from '../../features/webhooks/webhook-operations.ts';

/** The operator API: everything that the CLI does to a registry. */
export const operatorOperations = {
  ...overviewOperations,
  ...searchOperations,
  ...developerOperations,
  ...appOperations,
  ...reviewOperations,
  ...reviewClaimOperations,
  ...reviewNoteOperations,
  ...reasonTemplateOperations,
  ...protectedNameOperations,
  ...revisionOperations,
  ...installationOperations,
  ...logoOperations,
  ...tokenOperations,
  ...eventOperations,
  ...webhookOperations,
  ...settingOperations,
  ...callerOperations,
};

export type OperatorOperationId = keyof typeof operatorOperations;
