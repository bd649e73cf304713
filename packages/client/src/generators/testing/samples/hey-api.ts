import type { GeneratedClient, RegistryAccess } from './generated-client';
import { labelOfEvent, labelOfKind, refusal } from './labels';
import type { Problem } from './operator';
import * as operatorApi from './operator';
import { createClient as createOperatorClient } from './operator/client';
import { zEvent, zNewApp } from './operator/zod.gen';
import * as registryApi from './registry';
import { createClient } from './registry/client';
import { zAppUpdate, zProblem } from './registry/zod.gen';

export type { Event, Problem, QueueItem } from './operator';

export function connect(access: RegistryAccess): GeneratedClient {
  const { baseUrl } = access;
  const developer = createClient({ baseUrl, auth: access.developerToken });
  const platform = createClient({ baseUrl, auth: access.platformToken });
  const operator = createOperatorClient({ baseUrl: access.operatorUrl, auth: access.operatorToken });
  return {
    async getApp(id) {
      const app = dataOf(await registryApi.getApp({ client: platform, path: { id } }));
      const { reviewStatus, developer, installations } = app;
      return { status: reviewStatus, developerId: developer.userId, installations: installations.length };
    },
    async updateApp(id, update) {
      const body = zAppUpdate.parse(update);
      const app = dataOf(await registryApi.updateApp({ client: developer, path: { id }, body }));
      return { description: app.listingInfo.shortDescription };
    },
    createLogo: async (developerId, image) =>
      dataOf(await operatorApi.createLogo({ client: operator, body: { developerId, image } })),
    createApp: async (app) => dataOf(await operatorApi.createApp({ client: operator, body: zNewApp.parse(app) })),
    async submitApp(id) {
      const app = dataOf(await operatorApi.submitApp({ client: operator, path: { id } }));
      return { status: app.reviewStatus, etag: app.etag };
    },
    async approveApp(id, etag) {
      const body = { revision: etag };
      const app = dataOf(await operatorApi.approveApp({ client: operator, path: { id }, body }));
      return { status: app.reviewStatus };
    },
    async listReviewQueue() {
      const { items } = dataOf(await operatorApi.listReviewQueue({ client: operator }));
      return Object.fromEntries(items.map(({ app, kind }) => [app.name, labelOfKind(kind)]));
    },
    async listEvents(appId) {
      const { items } = dataOf(await operatorApi.listEvents({ client: operator, query: { appId } }));
      return items.map(labelOfEvent);
    },
    receive: (payload) => labelOfEvent(zEvent.parse(payload)),
  };
}

/** Also an error of validation is returned, although its type says otherwise. */
function dataOf<Data>({ data, error }: { data?: Data | undefined; error?: Problem | undefined }): Data {
  if (error) throw error instanceof Error ? error : refusal(zProblem.parse(error));
  return data as Data;
}
