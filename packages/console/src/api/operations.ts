import type {
  AccessToken,
  IssuedAccessToken,
  ListedAccessToken,
  NewAccessToken,
} from '../../../server/src/contract/access-token.ts';
import type { Developer } from '../../../server/src/contract/developer.ts';
import type { Event } from '../../../server/src/contract/event.ts';
import type { OperatorInstallation as Installation } from '../../../server/src/contract/installation.ts';
import type { Logo } from '../../../server/src/contract/logo.ts';
import type { AppQuery, OperatorApp } from '../../../server/src/contract/operator-app.ts';
import type { Overview } from '../../../server/src/contract/overview.ts';
import type { PageOf } from '../../../server/src/contract/page.ts';
import type { Rejection, Revocation } from '../../../server/src/contract/review/decision.ts';
import type { QueueItem } from '../../../server/src/contract/review/review-queue.ts';
import type { ReviewStep } from '../../../server/src/contract/review/review-status.ts';
import type { Session, SignInState } from '../../../server/src/contract/session.ts';
import type {
  Delivery,
  NewWebhook,
  Redelivered,
  Webhook,
  WebhookUpdate,
  WebhookWithSecret,
} from '../../../server/src/contract/webhook.ts';
import { create } from './create.ts';
import { sendRequest, sendRequestForETag } from './http-request.ts';

export type { IssuedAccessToken, ListedAccessToken, Logo, NewAccessToken, NewWebhook, ReviewStep };
export type ReviewDetails = Rejection | Revocation;
export type {
  AppQuery,
  Delivery,
  Developer,
  Event,
  Installation,
  OperatorApp,
  Overview,
  PageOf,
  QueueItem,
  Session,
  Webhook,
};

const api = '/operator/v1';

type Query = Record<string, string | number | boolean | undefined>;
type Listing = { cursor?: string | undefined; limit?: number };

/** The current session, if any, and the available ways to sign in. */
export function showSignIn(): Promise<SignInState> {
  return sendRequest('/session');
}

/** Signs in with an operator token, or with the code of a link. */
export function signIn(token: string): Promise<void> {
  return sendRequest('/session', { method: 'POST', body: { token } });
}

/** The URL at which the identity provider signs people in. */
export async function requestAuthorization(): Promise<string> {
  return (await sendRequest<{ location: string }>('/session/authorization-request', { method: 'POST' })).location;
}

/** Signs in with the query that the identity provider sent the browser back with. */
export function signInByProvider(query: string): Promise<void> {
  return sendRequest('/session/authorization-response', { method: 'POST', body: { query } });
}

export function signOut(): Promise<void> {
  return sendRequest('/session', { method: 'DELETE' });
}

export function showOverview(signal: AbortSignal): Promise<Overview> {
  return sendRequest(`${api}/overview`, { signal });
}

export function listApps(query: AppQuery, signal: AbortSignal): Promise<PageOf<OperatorApp>> {
  return sendRequest(`${api}/apps${search(query)}`, { signal });
}

/** What awaits review, longest waiting first. */
export function listReviewQueue(query: Listing, signal: AbortSignal): Promise<PageOf<QueueItem>> {
  return sendRequest(`${api}/apps/queue${search(query)}`, { signal });
}

/** An app with the ETag of the content that was shown. */
export interface SeenApp {
  app: OperatorApp;
  etag: string;
}

export async function showApp(id: string, signal: AbortSignal): Promise<SeenApp> {
  const { body: app, etag } = await sendRequestForETag<OperatorApp>(appPath(id), { signal });
  return { app, etag };
}

/** Takes a review step if the content is still the one that was shown. */
export function reviewApp(
  { app: { id }, etag }: SeenApp,
  step: ReviewStep,
  details?: ReviewDetails,
): Promise<OperatorApp> {
  return sendRequest(`${appPath(id)}/${step}`, { method: 'POST', ifMatch: etag, ...(details && { body: details }) });
}

/** Stores an image for the apps of one developer. */
export function addLogo(developerId: string, image: File): Promise<Logo> {
  const body = new FormData();
  body.set('developerId', developerId);
  body.set('image', image);
  return create(`${api}/logos`, body);
}

/** Sets the logo of an app if its content is still the one that was shown. */
export function setLogo({ app: { id }, etag }: SeenApp, logoId: string): Promise<OperatorApp> {
  return sendRequest(appPath(id), { method: 'PATCH', body: { logoId }, ifMatch: etag });
}

function appPath(id: string): string {
  return `${api}/apps/${encodeURIComponent(id)}`;
}

export function showDeveloper(userId: string): Promise<Developer> {
  return sendRequest(`${api}/developers/${encodeURIComponent(userId)}`);
}

export function listInstallations(
  query: Listing & { appId: string },
  signal: AbortSignal,
): Promise<PageOf<Installation>> {
  return sendRequest(`${api}/installations${search(query)}`, { signal });
}

export function setInstallationEnabled(id: string, enabled: boolean): Promise<Installation> {
  const path = `${api}/installations/${encodeURIComponent(id)}/${enabled ? 'enable' : 'disable'}`;
  return sendRequest(path, { method: 'POST' });
}

/** The events of an app, newest first. */
export function listEvents(query: Listing & { appId: string }, signal: AbortSignal): Promise<PageOf<Event>> {
  return sendRequest(`${api}/events${search({ ...query, newestFirst: true })}`, { signal });
}

export function listTokens(query: Listing, signal: AbortSignal): Promise<PageOf<ListedAccessToken>> {
  return sendRequest(`${api}/tokens${search(query)}`, { signal });
}

/** Only this response contains the token itself. */
export function issueToken(token: NewAccessToken): Promise<IssuedAccessToken> {
  return create(`${api}/tokens`, token);
}

export function revokeToken(id: string): Promise<AccessToken> {
  return sendRequest(`${api}/tokens/${encodeURIComponent(id)}/revoke`, { method: 'POST' });
}

export function listWebhooks(query: Listing, signal: AbortSignal): Promise<PageOf<Webhook>> {
  return sendRequest(`${api}/webhooks${search(query)}`, { signal });
}

export function showWebhook(id: string, signal: AbortSignal): Promise<Webhook> {
  return sendRequest(webhookPath(id), { signal });
}

/** Only this response and that of a rotation contain the secret. */
export function createWebhook(webhook: NewWebhook): Promise<WebhookWithSecret> {
  return create(`${api}/webhooks`, webhook);
}

/** A retry after a lost response returns the same secret, and the previous one stays valid. */
export function rotateWebhookSecret(id: string): Promise<WebhookWithSecret> {
  return create(`${webhookPath(id)}/rotate`);
}

/** Pending deliveries go to the new URL too. */
export function updateWebhook(id: string, update: WebhookUpdate): Promise<Webhook> {
  return sendRequest(webhookPath(id), { method: 'PATCH', body: update });
}

export function changeWebhook(id: string, change: 'enable' | 'disable' | 'test'): Promise<object> {
  return sendRequest(`${webhookPath(id)}/${change}`, { method: 'POST' });
}

export function deleteWebhook(id: string): Promise<object> {
  return sendRequest(webhookPath(id), { method: 'DELETE' });
}

export function listDeliveries(
  id: string,
  query: Listing & { state?: string | undefined },
  signal: AbortSignal,
): Promise<PageOf<Delivery>> {
  return sendRequest(`${webhookPath(id)}/deliveries${search(query)}`, { signal });
}

export function redeliver(id: string): Promise<Delivery> {
  return sendRequest(`${api}/deliveries/${encodeURIComponent(id)}/redeliver`, { method: 'POST' });
}

/** Redelivers everything queued at this time or later, in order. */
export function redeliverSince(id: string, since: Date): Promise<Redelivered> {
  return sendRequest(`${webhookPath(id)}/redeliver`, { method: 'POST', body: { since: since.toISOString() } });
}

function webhookPath(id: string): string {
  return `${api}/webhooks/${encodeURIComponent(id)}`;
}

function search(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
