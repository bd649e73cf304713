import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorClient } from '../../operator/index.ts';
import { ServedRegistry } from '../../testing/served-registry.ts';
import { listen } from './testing/receivers.ts';
import { webhookHandler } from './webhook-handler.ts';

test('events of a registry are handled once and in order, even if a handler fails in the middle of a batch', async (t) => {
  const registry = await ServedRegistry.start({ WEBHOOK_ALLOW_PRIVATE: '1', WEBHOOK_RETRY_SECONDS: '0,0,0' });
  t.after(() => registry.stop());
  const { token } = await registry.data.newToken('operator');
  const operator = new OperatorClient({ token, baseUrl: registry.operatorUrl.replace('/operator/v1', '') });

  // A webhook has its secret from the registry, and a receiver its handler before the webhook is created.
  let handler = webhookHandler({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', on: {} });
  const url = await listen(t, (request, response) => handler(request, response));
  const { id: webhookId, secret } = await operator.webhooks.create({ url, types: ['app.updated'], batch: true });

  const names = [1, 2, 3, 4, 5].map((each) => `Name ${each}`);
  const [handled, errors]: [unknown[], unknown[]] = [[], []];
  const updated = Promise.withResolvers<void>();
  handler = webhookHandler({
    secret,
    on: {
      'app.updated': async ({ data: { after } }) => {
        // Events recorded while the first request waits arrive as one batch.
        if (after.name === names[0]) await updated.promise;
        if (after.name === names[2] && errors.length === 0) throw new Error('the database is down');
        handled.push(after.name);
      },
    },
    onError: (error) => errors.push(error),
  });
  const app = await registry.data.newApp();
  const { developer } = registry.client();
  for (const name of names) await developer.apps.update(app.id, { name });
  updated.resolve();

  const pending = () => operator.deliveries.list(webhookId, { state: 'pending' }).page();
  while ((await pending()).items.length > 0);
  assert.deepEqual(handled, names);
  assert.deepEqual(errors.map(String), ['Error: the database is down']);
});
