import type { FastifyInstance } from 'fastify';
import { readConfig } from '../../../server/src/config/config.ts';
import { authenticate } from '../../../server/src/features/access/access-token.ts';
import { NewEvents } from '../../../server/src/features/events/feed/new-events.ts';
import { createListener } from '../../../server/src/http/listener/listener.ts';
import { HttpMetrics } from '../../../server/src/http/listener/request-context.ts';
import { mount } from '../../../server/src/http/listener/route.ts';
import { operatorApiRoutes } from '../../../server/src/http/operator/operator-routes.ts';
import type { Registry } from '../../../server/src/kernel/registry.ts';
import { CapturedLog } from '../registry/captured-log.ts';

/** A listener with the operator API alone. */
export function operatorListener(registry: Registry): FastifyInstance {
  const { logger } = new CapturedLog();
  const listener = createListener({
    ...readConfig({}),
    logger,
    metrics: new HttpMetrics(),
    draining: new AbortController().signal,
  });
  mount(listener, operatorApiRoutes(registry, { uploadsAtOnceMax: 0, newEvents: new NewEvents(registry.storage) }), {
    authenticate: (text) => authenticate(registry, text),
  });
  return listener;
}
