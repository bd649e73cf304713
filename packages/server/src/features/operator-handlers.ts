import type { Handlers } from '../kernel/handler.ts';
import { handlersOf } from '../kernel/handlers-of.ts';
import type { Registry } from '../kernel/registry.ts';
import { callerOperations } from './access/caller.ts';
import { developerTokenOperations, tokenOperations } from './access/tokens.ts';
import { appHandlers } from './apps/app-handlers.ts';
import { reviewClaimHandlers } from './apps/review/claims/claim-handlers.ts';
import { reviewNoteHandlers } from './apps/review/notes/note-handlers.ts';
import { protectedNameHandlers } from './apps/review/protected-names/protected-name-handlers.ts';
import { reviewHandlers } from './apps/review/review-handlers.ts';
import { revisionHandlers } from './apps/revisions/revision-handlers.ts';
import { developerOperations } from './developers/developers.ts';
import { type EventWaits, eventHandlers } from './events/event-handlers.ts';
import { installationHandlers } from './installations/installation-handlers.ts';
import { logoHandlers } from './logos/logo-handlers.ts';
import type { operatorOperations } from './operations.ts';
import { overviewHandlers } from './overview/overview-handlers.ts';
import { reasonTemplateOperations } from './reason-templates/reason-templates.ts';
import { searchHandlers } from './search/search-handlers.ts';
import { settingOperations } from './settings/update-settings.ts';
import { suspensionOperations } from './suspension/suspensions.ts';
import { webhookHandlers } from './webhooks/webhook-handlers.ts';

/** Every operation of the operator API. A command loads only its own: see `load-handler.ts`. */
export function operatorHandlers(registry: Registry, waits: EventWaits): Handlers<typeof operatorOperations> {
  return {
    ...overviewHandlers(registry),
    ...searchHandlers(registry),
    ...handlersOf(developerOperations)(registry),
    ...handlersOf(suspensionOperations)(registry),
    ...handlersOf(developerTokenOperations)(registry),
    ...appHandlers(registry),
    ...reviewHandlers(registry),
    ...reviewClaimHandlers(registry),
    ...reviewNoteHandlers(registry),
    ...handlersOf(reasonTemplateOperations)(registry),
    ...protectedNameHandlers(registry),
    ...revisionHandlers(registry),
    ...installationHandlers(registry),
    ...logoHandlers(registry),
    ...handlersOf(tokenOperations)(registry),
    ...eventHandlers(registry, waits),
    ...webhookHandlers(registry),
    ...handlersOf(settingOperations)(registry),
    ...handlersOf(callerOperations)(registry),
  };
}
