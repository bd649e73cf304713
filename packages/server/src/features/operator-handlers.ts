import type { Handlers } from '../kernel/handler.ts';
import { handlersOf } from '../kernel/handlers-of.ts';
import type { Registry } from '../kernel/registry.ts';
import { callerHandlers } from './access/caller-handlers.ts';
import { revokeTokensOfDeveloper } from './access/revoke-tokens-of-developer.ts';
import { tokenHandlers } from './access/token-handlers.ts';
import { appOperations } from './apps/app-operations.ts';
import { reviewClaimOperations } from './apps/review/review-claims.ts';
import { reviewHandlers } from './apps/review/review-handlers.ts';
import { reviewNoteOperations } from './apps/review/review-notes.ts';
import { revisionOperations } from './apps/revisions/revert-app.ts';
import { developerOperations } from './developers/developers.ts';
import { eventOperations } from './events/events.ts';
import type { EventWaits } from './events/feed/event-streams.ts';
import { installationOperations } from './installations/installations.ts';
import { logoOperations } from './logos/logos.ts';
import type { operatorOperations } from './operations.ts';
import { overviewOperations } from './overview/overview.ts';
import { protectedNameOperations } from './protected-names/protected-names.ts';
import { reasonTemplateOperations } from './reason-templates/reason-templates.ts';
import { searchOperations } from './search/search.ts';
import { settingOperations } from './settings/update-settings.ts';
import { suspensionOperations } from './suspension/suspensions.ts';
import { deliveryOperations } from './webhooks/deliveries/deliveries.ts';
import { webhookOperations } from './webhooks/webhooks.ts';

/** Every operation of the operator API. A command loads only its own: see `load-handler.ts`. */
export function operatorHandlers(registry: Registry, waits: EventWaits): Handlers<typeof operatorOperations> {
  return {
    ...handlersOf(overviewOperations)(registry),
    ...handlersOf(searchOperations)(registry),
    ...handlersOf(developerOperations)(registry),
    ...handlersOf(suspensionOperations)(registry),
    ...handlersOf({ revokeTokensOfDeveloper })(registry),
    ...handlersOf(appOperations)(registry),
    ...reviewHandlers(registry),
    ...handlersOf(reviewClaimOperations)(registry),
    ...handlersOf(reviewNoteOperations)(registry),
    ...handlersOf(reasonTemplateOperations)(registry),
    ...handlersOf(protectedNameOperations)(registry),
    ...handlersOf(revisionOperations)(registry),
    ...handlersOf(installationOperations)(registry),
    ...handlersOf(logoOperations)(registry),
    ...tokenHandlers(registry),
    ...handlersOf(eventOperations)(registry, waits),
    ...handlersOf(webhookOperations)(registry),
    ...handlersOf(deliveryOperations)(registry),
    ...handlersOf(settingOperations)(registry),
    ...callerHandlers(registry),
  };
}
