import type { GeneratedClient, RegistryAccess } from './generated-client';
import { labelOfEvent, labelOfKind, refusal } from './labels';
import * as operatorApi from './operator/client';
import { Event, NewApp } from './operator/schemas';
import * as registryApi from './registry/client';
import { AppUpdate, Problem } from './registry/schemas';

export type { Event, Problem, QueueItem } from './operator/schemas';

export function connect(access: RegistryAccess): GeneratedClient {
  const { baseUrl } = access;
  const developer = { baseUrl, token: access.developerToken };
  const platform = { baseUrl, token: access.platformToken };
  const operator = { baseUrl: access.operatorUrl, token: access.operatorToken };
  return {
    async getApp(id) {
      const app = dataOf(await registryApi.getApp(id, platform));
      const { reviewStatus, developer, installations } = app;
      return { status: reviewStatus, developerId: developer.userId, installations: installations.length };
    },
    async updateApp(id, update) {
      const app = dataOf(await registryApi.updateApp(id, AppUpdate.parse(update), developer));
      return { description: app.listingInfo.shortDescription };
    },
    createLogo: async (developerId, image) => dataOf(await operatorApi.createLogo({ developerId, image }, operator)),
    createApp: async (app) => dataOf(await operatorApi.createApp(NewApp.parse(app), operator)),
    async submitApp(id) {
      const app = dataOf(await operatorApi.submitApp(id, operator));
      return { status: app.reviewStatus, etag: app.etag };
    },
    async approveApp(id, etag) {
      const app = dataOf(await operatorApi.approveApp(id, { revision: etag }, operator));
      return { status: app.reviewStatus };
    },
    async listReviewQueue() {
      const { items } = dataOf(await operatorApi.listReviewQueue({}, operator));
      return Object.fromEntries(items.map(({ app, kind }) => [app.name, labelOfKind(kind)]));
    },
    async listEvents(appId) {
      const { items } = dataOf(await operatorApi.listEvents({ appId }, operator));
      return items.map(labelOfEvent);
    },
    receive: (payload) => labelOfEvent(Event.parse(payload)),
  };
}

interface Reply {
  status: number;
  data: unknown;
}

function dataOf<R extends Reply>(reply: R): Extract<R, { status: 200 | 201 }>['data'] {
  if (reply.status >= 400) throw refusal(Problem.parse(reply.data));
  return reply.data;
}
