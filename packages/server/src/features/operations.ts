import { callerOperations } from './access/caller.ts';
import { developerTokenOperations, tokenOperations } from './access/tokens.ts';
import { appOperations } from './apps/app-operations.ts';
import { reviewClaimOperations } from './apps/review/claims/claim-operations.ts';
import { reviewNoteOperations } from './apps/review/notes/note-operations.ts';
import { protectedNameOperations } from './apps/review/protected-names/protected-name-operations.ts';
import { reviewOperations } from './apps/review/review-operations.ts';
import { revisionOperations } from './apps/revisions/revision-operations.ts';
import { developerOperations } from './developers/developers.ts';
import { eventOperations } from './events/event-operations.ts';
import { installationOperations } from './installations/installation-operations.ts';
import { logoOperations } from './logos/logo-operations.ts';
import { overviewOperations } from './overview/overview-operations.ts';
import { reasonTemplateOperations } from './reason-templates/reason-templates.ts';
import { searchOperations } from './search/search-operations.ts';
import { settingOperations } from './settings/update-settings.ts';
import { suspensionOperations } from './suspension/suspensions.ts';
import { webhookOperations } from './webhooks/webhook-operations.ts';

/** The operator API: everything that the CLI does to a registry. */
export const operatorOperations = {
  ...overviewOperations,
  ...searchOperations,
  ...developerOperations,
  ...suspensionOperations,
  ...developerTokenOperations,
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
