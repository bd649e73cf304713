import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import type { FastifyInstance } from 'fastify';
import { readConfig } from '../../src/config/config.ts';
import { authenticate } from '../../src/features/access/access-token.ts';
import { NewEvents } from '../../src/features/events/feed/new-events.ts';
import { createListener } from '../../src/http/listener/listener.ts';
import { HttpMetrics } from '../../src/http/listener/request-context.ts';
import { mount } from '../../src/http/listener/route.ts';
import { operatorApiRoutes } from '../../src/http/operator/operator-routes.ts';
import type { Registry } from '../../src/kernel/registry.ts';

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
