import { callerOperations } from './access/caller-operations.ts';
import { tokenOperations } from './access/token-operations.ts';
import { appOperations } from './apps/app-operations.ts';
import { reviewClaimOperations } from './apps/review/claims/claim-operations.ts';
import { reviewNoteOperations } from './apps/review/notes/note-operations.ts';
import { protectedNameOperations } from './apps/review/protected-names/protected-name-operations.ts';
import { reviewOperations } from './apps/review/review-operations.ts';
import { revisionOperations } from './apps/revisions/revision-operations.ts';
import { developerOperations } from './developers/developer-operations.ts';
import { eventOperations } from './events/events.ts';
import { installationOperations } from './installations/installation-operations.ts';
import { logoOperations } from './logos/logo-operations.ts';
import { overviewOperations } from './overview/overview.ts';
import { reasonTemplateOperations } from './reason-templates/reason-templates.ts';
import { searchOperations } from './search/search.ts';
import { settingOperations } from './settings/setting-operations.ts';
import { deliveryOperations } from './webhooks/deliveries/deliveries.ts';
import { webhookOperations } from './webhooks/webhooks.ts';

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
  ...deliveryOperations,
  ...settingOperations,
  ...callerOperations,
};

export type OperatorOperationId = keyof typeof operatorOperations;
