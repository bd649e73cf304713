import { callerOperations, developerTokenOperations, tokenOperations } from './access/tokens.ts';
import { getAppOperation } from './apps/get-app.ts';
import { appOperations } from './apps/operator-apps.ts';
import { reviewClaimOperations } from './apps/review/review-claims.ts';
import { reviewNoteOperations } from './apps/review/review-notes.ts';
import { reviewQueueOperations } from './apps/review/review-queue.ts';
import { reviewOperations } from './apps/review/review-steps.ts';
import { revisionOperations } from './apps/revisions/revert-app.ts';
import { updateAppOperation } from './apps/update-app.ts';
import { developerOperations } from './developers/developers.ts';
import { eventOperations } from './events/events.ts';
import { importOperations } from './import-export/imports.ts';
import { installationOperations, workspaceOperations } from './installations/installations.ts';
import { logoOperations } from './logos/logos.ts';
import { overviewOperations, statisticsOperations } from './overview/overview.ts';
import { protectedNameOperations } from './protected-names/protected-names.ts';
import { reasonTemplateOperations } from './reason-templates/reason-templates.ts';
import { searchOperations } from './search/search.ts';
import { settingOperations } from './settings/update-settings.ts';
import { suspensionOperations } from './suspension/suspensions.ts';
import { deliveryOperations, webhookDeliveryOperations } from './webhooks/deliveries/deliveries.ts';
import { webhookOperations } from './webhooks/webhooks.ts';

/** The operator API: everything that the CLI does to a registry. */
export const operatorOperations = {
  ...overviewOperations,
  ...statisticsOperations,
  ...searchOperations,
  ...developerOperations,
  ...suspensionOperations,
  ...developerTokenOperations,
  ...appOperations,
  ...reviewQueueOperations,
  ...reviewOperations,
  ...reviewClaimOperations,
  ...reviewNoteOperations,
  ...reasonTemplateOperations,
  ...protectedNameOperations,
  ...revisionOperations,
  ...installationOperations,
  ...workspaceOperations,
  ...logoOperations,
  ...tokenOperations,
  ...eventOperations,
  ...webhookOperations,
  ...webhookDeliveryOperations,
  ...deliveryOperations,
  ...importOperations,
  ...settingOperations,
  ...callerOperations,
};

export type OperatorOperationId = keyof typeof operatorOperations;

/** The two operations of the public interface. */
export const publicOperations = { updateApp: updateAppOperation, getApp: getAppOperation };

export type PublicOperationId = keyof typeof publicOperations;
