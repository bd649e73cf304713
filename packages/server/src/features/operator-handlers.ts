import type { Handlers } from '../kernel/handler.ts';
import { handlersOf } from '../kernel/handlers-of.ts';
import type { Registry } from '../kernel/registry.ts';
import { callerHandlers } from './access/caller-handlers.ts';
import { tokenHandlers } from './access/token-handlers.ts';
import { appHandlers } from './apps/app-handlers.ts';
import { reviewClaimOperations } from './apps/review/review-claims.ts';
import { reviewNoteOperations } from './apps/review/review-notes.ts';
import { reviewOperations } from './apps/review/review-steps.ts';
import { revisionOperations } from './apps/revisions/revert-app.ts';
import { developerHandlers } from './developers/developer-handlers.ts';
import { type EventWaits, eventHandlers } from './events/event-handlers.ts';
import { installationHandlers } from './installations/installation-handlers.ts';
import { logoHandlers } from './logos/logo-handlers.ts';
import type { operatorOperations } from './operations.ts';
import { overviewHandlers } from './overview/overview-handlers.ts';
import { protectedNameOperations } from './protected-names/protected-names.ts';
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
    ...handlersOf(reviewOperations)(registry),
    ...handlersOf(reviewClaimOperations)(registry),
    ...handlersOf(reviewNoteOperations)(registry),
    ...handlersOf(reasonTemplateOperations)(registry),
    ...handlersOf(protectedNameOperations)(registry),
    ...handlersOf(revisionOperations)(registry),
    ...installationHandlers(registry),
    ...logoHandlers(registry),
    ...tokenHandlers(registry),
    ...eventHandlers(registry, waits),
    ...webhookHandlers(registry),
    ...settingHandlers(registry),
    ...callerHandlers(registry),
  };
}
