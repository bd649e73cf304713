import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { createWebhook, testWebhook } from '@appregistrar/testkit/calls/webhooks';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Arrival } from '@appregistrar/testkit/http/hook-receiver';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type DeliveringProcess, DeliveryFixture } from '../../../test/webhooks/delivery-fixture.ts';
import { eventTypes } from '../../features/events/event.ts';
import { commandLine } from '../../kernel/registry.ts';

interface Operation {
  parameters: { $ref: string }[];
  requestBody: { content: Record<string, { schema: object }> };
}

const file = new URL('../../../../../docs/operator-openapi.json', import.meta.url);
const { webhooks, components } = JSON.parse((await readFile(file, 'utf8')).replaceAll('#/components/schemas/', ''));
const ajv = new Ajv2020({ logger: false, formats: { 'date-time': true, uri: true } });
for (const [name, schema] of Object.entries<object>(components.schemas)) ajv.addSchema(schema, name);

describe('what the document says about webhooks', () => {
  let fixture: DeliveryFixture;
  let serving: DeliveringProcess;
  before(async () => {
    fixture = await DeliveryFixture.open(sqlite);
    serving = await fixture.startProcess();
  });
  after(() => fixture.close());

  test('has a request for each type of event, and one for a batch', () => {
    assert.deepEqual(Object.keys(webhooks), [...eventTypes, 'batch']);
  });

  for (const [name, batch] of [
    ['webhook.tested', false],
    ['batch', true],
  ] as const) {
    test(`describes the header and the body of a real request: ${name}`, async () => {
      const { id } = await createWebhook(serving.registry, commandLine, { url: fixture.hook.url(`/${name}`), batch });
      await testWebhook(serving.registry, commandLine, id);
      const arrival = await fixture.until(() => fixture.hook.arrivals.find((arrival) => isTest(arrival, name)));
      assertDescribed(webhooks[name].post, arrival);
    });
  }
});

function isTest({ path, event }: Arrival, name: string): boolean {
  return path === `/${name}` && event.type === 'webhook.tested';
}

function assertDescribed({ parameters, requestBody }: Operation, { headers, body }: Arrival): void {
  const described = parameters.map(({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? '']);
  const names = Object.keys(headers).filter((name) => name.startsWith('webhook-'));
  assert.deepEqual(described.map(({ name }) => name).toSorted(), names.toSorted());
  for (const { name, schema } of described) assertValid(schema, headers[name]);
  assertValid(
    requestBody.content[headers['content-type'] ?? '']?.schema ?? assert.fail('media type'),
    JSON.parse(body),
  );
}

function assertValid(schema: object, value: unknown): void {
  assert.ok(ajv.validate(schema, value), `${JSON.stringify(value)} ${ajv.errorsText()}`);
}
