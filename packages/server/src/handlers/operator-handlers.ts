import type { operatorOperations } from '../contract/operations/operator-operations.ts';
import { callerHandlers } from '../features/access/caller-handlers.ts';
import { tokenHandlers } from '../features/access/token-handlers.ts';
import { appHandlers } from '../features/apps/app-handlers.ts';
import { reviewClaimHandlers } from '../features/apps/review/claims/claim-handlers.ts';
import { reviewNoteHandlers } from '../features/apps/review/notes/note-handlers.ts';
import { protectedNameHandlers } from '../features/apps/review/protected-names/protected-name-handlers.ts';
import { reviewHandlers } from '../features/apps/review/review-handlers.ts';
import { revisionHandlers } from '../features/apps/revisions/revision-handlers.ts';
import { developerHandlers } from '../features/developers/developer-handlers.ts';
import { type EventWaits, eventHandlers } from '../features/events/event-handlers.ts';
import { installationHandlers } from '../features/installations/installation-handlers.ts';
import { logoHandlers } from '../features/logos/logo-handlers.ts';
import { overviewHandlers } from '../features/overview/overview-handlers.ts';
import { reasonTemplateOperations } from '../features/reason-templates/reason-templates.ts';
import { searchHandlers } from '../features/search/search-handlers.ts';
import { settingHandlers } from '../features/settings/setting-handlers.ts';
import { webhookHandlers } from '../features/webhooks/webhook-handlers.ts';
import type { Handlers } from '../kernel/handler.ts';
import { handlersOf } from '../kernel/handlers-of.ts';
import type { Registry } from '../kernel/registry.ts';

/** Every operation of the operator API. A command loads only its own: see `load-handler.ts`. */
export function operatorHandlers(registry: Registry, waits: EventWaits): Handlers<typeof operatorOperations> {
  return {
    ...overviewHandlers(registry),
    ...searchHandlers(registry),
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
    ...eventHandlers(registry, waits),
    ...webhookHandlers(registry),
    ...settingHandlers(registry),
    ...callerHandlers(registry),
  };
}
