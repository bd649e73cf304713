import { randomUUID } from 'node:crypto';
import { updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { type ReceivedResponse, send } from '@appregistrar/testkit/http/send';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { type ContentKind, contentUnderPaths } from '../../packages/server/src/contract/app-content-fields.ts';
import { createApp } from '../../packages/server/src/registry/apps/create-app.ts';
import { commandLine } from '../../packages/server/src/registry/registry.ts';
import { execute } from '../../packages/server/src/storage/testing/storage-test.ts';
import { createCredentials } from '../frame/credentials.ts';
import { type Figures, guarantee } from '../frame/fault-injection.ts';
import type { Run } from '../frame/run.ts';
import { Service } from '../frame/service.ts';

const appCount = 4;
/** Texts that an update leaves unchanged are stored once more; a copy of each response would take twice as much as this. */
const keyShareMax = 0.4;

interface Sent {
  id: string;
  key: string;
  update: object;
  response: ReceivedResponse;
}

/**
 * Sends maximal updates with keys through two processes until both refuse them. Together they must store no more than one
 * developer may, and no text under a key that an event holds; each retry must get the bytes of the first response.
 */
export async function storeMuch(run: Run, databaseUrl: string): Promise<Figures> {
  const bytesMax = run.number('bytes');
  const credentials = await createCredentials(databaseUrl);
  const apps = await createApps(databaseUrl, credentials.developerId);
  const services = [await startService(run, databaseUrl), await startService(run, databaseUrl)];
  const clients = apps.map((id, at) => updateUntilRefused(run, { id, at, services, token: credentials.developer }));
  const sent = (await Promise.all(clients)).flat();

  for (const { id, key, update, response } of sent) {
    const [, other] = services;
    const request = updateAppRequest(credentials.developer, { id, update, headers: { 'idempotency-key': key } });
    const retry = await send(other?.publicUrl ?? '', request);
    guarantee(retry.headers['idempotency-replayed'] === 'true', 'a retry was not replayed');
    guarantee(retry.text === response.text && retry.etag === response.etag, 'a retry got another response');
  }
  const { events, keys } = await storedBytes(databaseUrl);
  guarantee(events + keys <= bytesMax, () => `${events + keys} bytes are stored, of at most ${bytesMax}`);
  guarantee(events > bytesMax / 2, () => `only ${events} bytes are stored, of ${bytesMax}`);
  guarantee(keys < keyShareMax * events, () => `keys hold ${keys} bytes beside the ${events} of events`);
  for (const service of services) await service.stop();
  return { updates: sent.length, 'event-bytes': events, 'key-bytes': keys };
}

async function createApps(databaseUrl: string, developerId: string): Promise<string[]> {
  return withRegistry(databaseUrl, async (registry) => {
    const ids: string[] = [];
    for (let at = 0; at < appCount; at += 1) {
      ids.push((await createApp(registry, commandLine, { developerId, name: `App ${at}` })).id);
    }
    return ids;
  });
}

async function startService(run: Run, databaseUrl: string): Promise<Service> {
  const env = { STORED_BYTES_PER_DEVELOPER_PER_DAY: String(run.number('bytes')) };
  const service = await Service.create({ source: run.source, databaseUrl, env });
  run.atEnd(() => service.kill());
  await service.start();
  return service;
}

interface Client {
  id: string;
  at: number;
  services: Service[];
  token: string;
}

/** Returns the updates that were accepted. */
async function updateUntilRefused(run: Run, { id, at, services, token }: Client): Promise<Sent[]> {
  const random = run.random('texts', at);
  const sent: Sent[] = [];
  const refusedBy = new Set<number>();
  for (let count = 0; refusedBy.size < services.length; count += 1) {
    const through = count % services.length;
    // Every third one leaves the long texts as they are.
    const update =
      count % 3 === 2
        ? { listingInfo: { backgroundColor: colorOf(random.between(0, 0xffffff)) } }
        : everyText(() => random.between(0, 25));
    const key = randomUUID();
    const request = updateAppRequest(token, { id, update, headers: { 'idempotency-key': key } });
    const response = await send(services[through]?.publicUrl ?? '', request);
    if (response.status === 200) sent.push({ id, key, update, response });
    else {
      guarantee(response.status === 429, () => `an update got ${response.status}: ${response.text}`);
      const policy = response.headers['ratelimit-policy'] ?? '';
      guarantee(policy.startsWith('"stored-bytes"'), () => `a 429 names the policy ${policy}`);
      guarantee(Number(response.headers['retry-after']) <= 86_400, 'a 429 has a wrong Retry-After');
      refusedBy.add(through);
    }
  }
  return sent;
}

function everyText(draw: () => number): object {
  const text = (length: number) => Array.from({ length }, () => String.fromCharCode(97 + draw())).join('');
  const values: Record<ContentKind, (() => string) | null> = {
    name: null,
    logo: null,
    line: () => text(500),
    lines: () => text(4_000),
    colour: null,
    url: () => `https://a.example/${text(2_000)}`,
  };
  return contentUnderPaths<never>(({ kind }) => values[kind]?.());
}

function colorOf(value: number): string {
  return `#${value.toString(16).padStart(6, '0')}`;
}

async function storedBytes(databaseUrl: string): Promise<{ events: number; keys: number }> {
  return withRegistry(databaseUrl, async ({ storage }) => {
    const sum = async (expression: string, from: string) => {
      const [row] = await execute<{ bytes: number | null }>(
        storage.reader,
        `select cast(sum(${expression}) as bigint) as bytes from ${from}`,
      );
      return Number(row?.bytes ?? 0);
    };
    const event = `length(before) + length(after) + coalesce(length(details), 0) + coalesce(length(effective), 0)`;
    return {
      events: await sum(event, `events where type = 'app.updated'`),
      keys: (await sum('length(response)', 'idempotency_keys')) + (await sum('length(text)', 'response_texts')),
    };
  });
}
