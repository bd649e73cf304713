import { appOperations } from '../../features/apps/app-operations.ts';
import { revisionOperations } from '../../features/apps/revisions/revision-operations.ts';
import { developerOperations } from '../../features/developers/developer-operations.ts';
import { logoOperations } from '../../features/logos/logo-operations.ts';
import { reasonTemplateOperations } from '../../features/reason-templates/reason-templates.ts';
import { settingOperations } from '../../features/settings/setting-operations.ts';
import { callerOperations } from './caller.ts';
import { eventOperations } from './events.ts';
import { installationOperations } from './installations.ts';
import { overviewOperations } from './overview.ts';
import { protectedNameOperations } from './protected-names.ts';
import { reviewOperations } from './review.ts';
import { reviewClaimOperations } from './review-claims.ts';
import { reviewNoteOperations } from './review-notes.ts';
import { searchOperations } from './search.ts';
import { tokenOperations } from './tokens.ts';
import { webhookOperations } from './webhooks.ts';

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
