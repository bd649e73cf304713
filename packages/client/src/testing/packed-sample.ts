import {
  AppRegistryClient,
  type AppUpdate,
  type EventOf,
  NotFoundError,
  type ReceivedWebhook,
  verifyWebhook,
  visit,
  WebhookVerificationError,
} from '../index.ts';
import { logTo } from '../logging/index.ts';
import { OperatorClient } from '../operator/index.ts';
import { sync } from '../sync/index.ts';
import { webhookHandler } from '../webhook/handler/index.ts';
import { signWebhook, webhookEvent } from '../webhook/signing/index.ts';

/** The input of the sample, as JSON. */
export interface SampleInput {
  registry: { baseUrl: string; developerToken: string; platformToken: string; appId: string };
  /** On a page, an address of its own origin. */
  operator: { baseUrl: string; token: string };
  /** An app.updated event. */
  webhook: ReceivedWebhook;
  /** The vector of the Standard Webhooks specification, whose body is not an event. */
  vector: ReceivedWebhook;
  otherSecret: string;
}

/** Code of a user of the package. It uses only what every runtime has. */
export async function sample(input: SampleInput) {
  return { ...(await useRegistry(input)), ...(await keepCopy(input)), ...(await receiveWebhooks(input)) };
}

async function useRegistry({ registry: { baseUrl, developerToken, platformToken, appId } }: SampleInput) {
  const { apps } = new AppRegistryClient({ baseUrl, token: developerToken }).developer;
  const { apps: read } = new AppRegistryClient({ baseUrl, token: async () => platformToken }).platform;
  const { response } = await apps.current(appId).withResponse();
  const update: AppUpdate = { listingInfo: { shortDescription: 'From every runtime.', longDescription: null } };
  const { listingInfo } = await apps.update(appId, update, { ifMatch: response.etag });
  const cached = await read.get(appId, { ifNoneMatch: undefined });
  const again = await read.get(appId, { ifNoneMatch: cached.etag });
  let installed = 0;
  for await (const { enabled } of read.installations(appId)) if (enabled) installed += 1;
  return {
    listingInfo,
    developer: cached.data?.developer.firstName,
    isNew: !again.notModified,
    installed,
    missing: await read.get(`${appId.slice(0, -1)}${appId.endsWith('0') ? '1' : '0'}`).catch(codeOf),
  };
}

/** Where the app is installed, by a copy of the registry, and the log of the requests for it. */
async function keepCopy({ operator, registry: { appId } }: SampleInput) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const hooks = logTo({ debug: write, warn: write, error: write });
  const copy = await sync(new OperatorClient({ ...operator, ...hooks }));
  const { workspaceId = '' } = copy.installations({ appId })[0] ?? {};
  const isInstalled = [workspaceId, 'workspace_other'].map((id) => copy.installation(appId, id) !== undefined);
  await copy.close();
  return { isInstalled, state: copy.state, logged: lines.includes('GET /operator/v1/apps') };
}

async function receiveWebhooks({ webhook, vector, otherSecret }: SampleInput) {
  return {
    changed: visit(await verifyWebhook(webhook), {
      'app.updated': ({ data }) => data.changedSinceApproval,
      _other: ({ type }) => type,
    }),
    vector: await verifyWebhook(vector).catch(reasonOf),
    otherSecret: await verifyWebhook({ ...vector, secret: otherSecret }).catch(reasonOf),
    handled: await handleBatch(otherSecret),
  };
}

/** The status of the response, and the workspaces of the events in it. */
async function handleBatch(secret: string): Promise<(number | string)[]> {
  const handled: string[] = [];
  const on = { 'installation.created': ({ data }: Installed) => void handled.push(data.after.workspaceId) };
  const handler = webhookHandler({ secret, on });
  const events = ['Bern', 'Zürich'].map((workspaceId) =>
    webhookEvent('installation.created', { data: { after: { workspaceId, userId: 'user_1', enabled: true } } }),
  );
  const { body, headers } = await signWebhook({ events, secret });
  const { status } = await handler(new Request('https://hooks.example.com/', { method: 'POST', body, headers }));
  return [status, ...handled];
}

type Installed = EventOf<'installation.created'>;

function codeOf(error: unknown): string | undefined {
  if (error instanceof NotFoundError) return error.code;
  throw error;
}

function reasonOf(error: unknown): string {
  if (error instanceof WebhookVerificationError) return error.reason;
  throw error;
}
