import type { Handlers } from '../kernel/handler.ts';
import { handlersOf } from '../kernel/handlers-of.ts';
import type { Registry } from '../kernel/registry.ts';
import { callerHandlers } from './access/caller-handlers.ts';
import { tokenHandlers } from './access/token-handlers.ts';
import { appHandlers } from './apps/app-handlers.ts';
import { reviewClaimHandlers } from './apps/review/claims/claim-handlers.ts';
import { reviewNoteHandlers } from './apps/review/notes/note-handlers.ts';
import { protectedNameHandlers } from './apps/review/protected-names/protected-name-handlers.ts';
import { reviewHandlers } from './apps/review/review-handlers.ts';
import { revisionHandlers } from './apps/revisions/revision-handlers.ts';
import { developerHandlers } from './developers/developer-handlers.ts';
import { eventOperations } from './events/events.ts';
import type { EventWaits } from './events/feed/event-streams.ts';
import { installationHandlers } from './installations/installation-handlers.ts';
import { logoHandlers } from './logos/logo-handlers.ts';
import type { operatorOperations } from './operations.ts';
import { overviewOperations } from './overview/overview.ts';
import { reasonTemplateOperations } from './reason-templates/reason-templates.ts';
import { searchOperations } from './search/search.ts';
import { settingHandlers } from './settings/setting-handlers.ts';
import { deliveryOperations } from './webhooks/deliveries/deliveries.ts';
import { webhookOperations } from './webhooks/webhooks.ts';

/** Every operation of the operator API. A command loads only its own: see `load-handler.ts`. */
export function operatorHandlers(registry: Registry, waits: EventWaits): Handlers<typeof operatorOperations> {
  return {
    ...handlersOf(overviewOperations)(registry),
    ...handlersOf(searchOperations)(registry),
    ...developerHandlers(registry),
    ...appHandlers(registry),
    ...reviewHandlers(registry),
    ...reviewClaimHandlers(registry),
    ...reviewNoteHandlers(registry),
    ...handlersOf(reasonTemplateOperations)(registry),
    ...protectedNameHandlers(registry),
    ...revisionHandlers(registry),
    ...installationHandlers(registry),
    ...logoHandlers(registry),
    ...tokenHandlers(registry),
    ...handlersOf(eventOperations)(registry, waits),
    ...handlersOf(webhookOperations)(registry),
    ...handlersOf(deliveryOperations)(registry),
    ...settingHandlers(registry),
    ...callerHandlers(registry),
  };
}
