import type { Handler } from '../kernel/handler.ts';
import { handlersOf } from '../kernel/handlers-of.ts';
import type { Registry } from '../kernel/registry.ts';
import type { EventWaits } from './events/feed/event-streams.ts';
import type { OperatorOperationId, operatorOperations } from './operations.ts';

export type HandlerOf<Id extends OperatorOperationId> = Handler<(typeof operatorOperations)[Id]>;

type Loader<Id extends OperatorOperationId> = () => Promise<
  (registry: Registry, waits: EventWaits) => { [Name in Id]: HandlerOf<Name> }
>;

const overview = async () => handlersOf((await import('./overview/overview.ts')).overviewOperations);
const search = async () => handlersOf((await import('./search/search.ts')).searchOperations);
const developers = async () => handlersOf((await import('./developers/developers.ts')).developerOperations);
const suspension = async () => handlersOf((await import('./suspension/suspensions.ts')).suspensionOperations);
const tokensOfDeveloper = async () => {
  const { revokeTokensOfDeveloper } = await import('./access/revoke-tokens-of-developer.ts');
  return handlersOf({ revokeTokensOfDeveloper });
};
const apps = async () => handlersOf((await import('./apps/app-operations.ts')).appOperations);
const review = async () => (await import('./apps/review/review-handlers.ts')).reviewHandlers;
const claims = async () => handlersOf((await import('./apps/review/review-claims.ts')).reviewClaimOperations);
const notes = async () => handlersOf((await import('./apps/review/review-notes.ts')).reviewNoteOperations);
const reasonTemplates = async () => {
  const { reasonTemplateOperations } = await import('./reason-templates/reason-templates.ts');
  return handlersOf(reasonTemplateOperations);
};
const protectedNames = async () => {
  const { protectedNameOperations } = await import('./protected-names/protected-names.ts');
  return handlersOf(protectedNameOperations);
};
const revisions = async () => handlersOf((await import('./apps/revisions/revert-app.ts')).revisionOperations);
const installations = async () => handlersOf((await import('./installations/installations.ts')).installationOperations);
const logos = async () => handlersOf((await import('./logos/logos.ts')).logoOperations);
const tokens = async () => (await import('./access/token-handlers.ts')).tokenHandlers;
const events = async () => handlersOf((await import('./events/events.ts')).eventOperations);
const webhooks = async () => handlersOf((await import('./webhooks/webhooks.ts')).webhookOperations);
const deliveries = async () => handlersOf((await import('./webhooks/deliveries/deliveries.ts')).deliveryOperations);
const settings = async () => handlersOf((await import('./settings/update-settings.ts')).settingOperations);
const caller = async () => (await import('./access/caller-handlers.ts')).callerHandlers;

/** Loaders of the handlers, by operation: a command that runs one does not load the others. */
const loaders: { [Id in OperatorOperationId]: Loader<Id> } = {
  getOverview: overview,
  getStatistics: overview,
  search,

  listDevelopers: developers,
  createDeveloper: developers,
  getDeveloper: developers,
  getDeveloperRecord: developers,
  updateDeveloper: developers,
  eraseDeveloper: suspension,
  suspendDeveloper: suspension,
  unsuspendDeveloper: suspension,
  revokeTokensOfDeveloper: tokensOfDeveloper,

  listApps: apps,
  createApp: apps,
  getAppAsOperator: apps,
  updateAppAsOperator: apps,
  deleteApp: apps,
  listDeletedApps: apps,
  restoreApp: apps,
  transferApp: apps,

  listReviewQueue: review,
  submitApp: review,
  withdrawApp: review,
  approveApp: review,
  rejectApp: review,
  rejectChange: review,
  revokeApp: review,
  listDecisions: review,

  claimApp: claims,
  releaseApp: claims,
  listNotes: notes,
  createNote: notes,
  deleteNote: notes,

  listReasonTemplates: reasonTemplates,
  createReasonTemplate: reasonTemplates,
  updateReasonTemplate: reasonTemplates,
  deleteReasonTemplate: reasonTemplates,

  listProtectedNames: protectedNames,
  createProtectedName: protectedNames,
  deleteProtectedName: protectedNames,
  listRevisions: revisions,
  getRevision: revisions,
  revertApp: revisions,

  listInstallations: installations,
  createInstallation: installations,
  getInstallation: installations,
  enableInstallation: installations,
  disableInstallation: installations,
  deleteInstallation: installations,
  deleteInstallationsOfWorkspace: installations,

  listLogos: logos,
  createLogo: logos,
  blockLogo: logos,
  unblockLogo: logos,
  deleteLogo: logos,

  listTokens: tokens,
  issueToken: tokens,
  getToken: tokens,
  listTokenChanges: tokens,
  revokeToken: tokens,

  listEvents: events,
  readEventFeed: events,
  streamEvents: events,

  listWebhooks: webhooks,
  createWebhook: webhooks,
  getWebhook: webhooks,
  updateWebhook: webhooks,
  deleteWebhook: webhooks,
  rotateWebhookSecret: webhooks,
  enableWebhook: webhooks,
  disableWebhook: webhooks,
  testWebhook: webhooks,
  listDeliveries: deliveries,
  getDelivery: deliveries,
  redeliverSince: deliveries,
  redeliver: deliveries,

  getSettings: settings,
  updateSettings: settings,

  getCaller: caller,
};

/** Loads the handler of one operation. */
export async function loadHandler<Id extends OperatorOperationId>(
  id: Id,
  registry: Registry,
  waits: EventWaits,
): Promise<HandlerOf<Id>> {
  const handlersOf = await (loaders[id] as Loader<Id>)();
  return handlersOf(registry, waits)[id];
}
