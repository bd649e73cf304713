import createClient from 'openapi-fetch';
import type { GeneratedClient, RegistryAccess } from './generated-client';
import { labelOfEvent, labelOfKind, refusal } from './labels';
import { logoForm } from './logo-form';
import type { components, paths as OperatorPaths } from './operator';
import type { paths as RegistryPaths } from './registry';

export type Problem = components['schemas']['Problem'];
export type QueueItem = components['schemas']['QueueItem'];
export type Event = components['schemas']['Event'];

export function connect(access: RegistryAccess): GeneratedClient {
  const { baseUrl } = access;
  const developer = createClient<RegistryPaths>({ baseUrl, headers: bearer(access.developerToken) });
  const platform = createClient<RegistryPaths>({ baseUrl, headers: bearer(access.platformToken) });
  const operator = createClient<OperatorPaths>({ baseUrl: access.operatorUrl, headers: bearer(access.operatorToken) });
  return {
    async getApp(id) {
      const app = dataOf(await platform.GET('/platform/apps/v1/{id}', { params: { path: { id } } }));
      const { reviewStatus, developer, installations } = app;
      return { status: reviewStatus, developerId: developer.userId, installations: installations.length };
    },
    async updateApp(id, body) {
      const app = dataOf(await developer.PATCH('/developer/apps/v1/{id}', { params: { path: { id } }, body }));
      return { description: app.listingInfo.shortDescription };
    },
    async createLogo(developerId, image) {
      const bodySerializer = () => logoForm(developerId, image);
      const body = { developerId, image: '' };
      return dataOf(await operator.POST('/operator/v1/logos', { body, bodySerializer }));
    },
    createApp: async (body) => dataOf(await operator.POST('/operator/v1/apps', { body })),
    async submitApp(id) {
      const app = dataOf(await operator.POST('/operator/v1/apps/{id}/submit', { params: { path: { id } } }));
      return { status: app.reviewStatus, etag: app.etag };
    },
    async approveApp(id, etag) {
      const params = { path: { id } };
      const app = dataOf(await operator.POST('/operator/v1/apps/{id}/approve', { params, body: { revision: etag } }));
      return { status: app.reviewStatus };
    },
    async listReviewQueue() {
      const { items } = dataOf(await operator.GET('/operator/v1/review-queue'));
      return Object.fromEntries(items.map(({ app, kind }) => [app.name, labelOfKind(kind)]));
    },
    async listEvents(appId) {
      const { items } = dataOf(await operator.GET('/operator/v1/events', { params: { query: { appId } } }));
      return items.map(labelOfEvent);
    },
    receive: (payload) => labelOfEvent(payload as Event),
  };
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

function dataOf<Data>(result: { data?: Data; error?: Problem | undefined }): Data {
  if (result.error) throw refusal(result.error);
  if (result.data === undefined) throw new Error('no data');
  return result.data;
}
