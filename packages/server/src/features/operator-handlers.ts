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
import { type EventWaits, eventHandlers } from './events/event-handlers.ts';
import { installationOperations } from './installations/installations.ts';
import { logoOperations } from './logos/logos.ts';
import type { operatorOperations } from './operations.ts';
import { overviewHandlers } from './overview/overview-handlers.ts';
import { reasonTemplateOperations } from './reason-templates/reason-templates.ts';
import { searchHandlers } from './search/search-handlers.ts';
import { settingHandlers } from './settings/setting-handlers.ts';
import { webhookHandlers } from './webhooks/webhook-handlers.ts';

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
    ...handlersOf(installationOperations)(registry),
    ...handlersOf(logoOperations)(registry),
    ...tokenHandlers(registry),
    ...eventHandlers(registry, waits),
    ...webhookHandlers(registry),
    ...settingHandlers(registry),
    ...callerHandlers(registry),
  };
}
