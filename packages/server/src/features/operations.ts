import { callerOperations } from './access/caller-operations.ts';
import { tokenOperations } from './access/token-operations.ts';
import { appOperations } from './apps/app-operations.ts';
import { reviewClaimOperations } from './apps/review/review-claims.ts';
import { reviewNoteOperations } from './apps/review/review-notes.ts';
import { reviewOperations } from './apps/review/review-steps.ts';
import { revisionOperations } from './apps/revisions/revert-app.ts';
import { developerOperations } from './developers/developer-operations.ts';
import { eventOperations } from './events/event-operations.ts';
import { installationOperations } from './installations/installation-operations.ts';
import { logoOperations } from './logos/logo-operations.ts';
import { overviewOperations } from './overview/overview-operations.ts';
import { protectedNameOperations } from './protected-names/protected-names.ts';
import { reasonTemplateOperations } from './reason-templates/reason-templates.ts';
import { searchOperations } from './search/search-operations.ts';
import { settingOperations } from './settings/setting-operations.ts';
import { webhookOperations } from './webhooks/webhook-operations.ts';

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
