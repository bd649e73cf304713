import type {
  AccessToken,
  IssuedAccessToken,
  ListedAccessToken,
  NewAccessToken,
} from '../../../server/src/contract/access-token.ts';
import type { Developer } from '../../../server/src/contract/developer.ts';
import type { Event } from '../../../server/src/contract/event.ts';
import type { Installation } from '../../../server/src/contract/installation.ts';
import type { Logo } from '../../../server/src/contract/logo.ts';
import type { AppQuery, OperatorApp } from '../../../server/src/contract/operator-app.ts';
import type { Overview } from '../../../server/src/contract/overview.ts';
import type { PageOf } from '../../../server/src/contract/page.ts';
import type { Rejection, ReviewStep, Revocation } from '../../../server/src/contract/review.ts';
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
import { ask, askTagged } from './http-request.ts';

export type { IssuedAccessToken, ListedAccessToken, Logo, NewAccessToken, NewWebhook, ReviewStep };
export type ReviewDetails = Rejection | Revocation;
export type { AppQuery, Delivery, Developer, Event, Installation, OperatorApp, Overview, PageOf, Session, Webhook };

const api = '/operator/v1';

type Query = Record<string, string | number | boolean | undefined>;
type Listing = { cursor?: string | undefined; limit?: number };

/** Whose session this is, if anybody has signed in, and how one may. */
export function showSignIn(): Promise<SignInState> {
  return ask('/session');
}

/** Signs in with an operator token, or with the code of a link. */
export function signIn(token: string): Promise<void> {
  return ask('/session', { method: 'POST', body: { token } });
}

/** Where the identity provider signs people in. */
export async function requestAuthorization(): Promise<string> {
  return (await ask<{ location: string }>('/session/authorization-request', { method: 'POST' })).location;
}

/** Signs in with what the identity provider has sent the browser back with. */
export function signInByProvider(query: string): Promise<void> {
  return ask('/session/authorization-response', { method: 'POST', body: { query } });
}

export function signOut(): Promise<void> {
  return ask('/session', { method: 'DELETE' });
}

export function showOverview(signal: AbortSignal): Promise<Overview> {
  return ask(`${api}/overview`, { signal });
}

export function listApps(query: AppQuery, signal: AbortSignal): Promise<PageOf<OperatorApp>> {
  return ask(`${api}/apps${search(query)}`, { signal });
}

/** The apps that await review, longest first. */
export function listReviewQueue(query: Listing, signal: AbortSignal): Promise<PageOf<OperatorApp>> {
  return ask(`${api}/review-queue${search(query)}`, { signal });
}

/** An app, and what names the content that was shown. */
export interface SeenApp {
  app: OperatorApp;
  etag: string;
}

export async function showApp(id: string, signal: AbortSignal): Promise<SeenApp> {
  const { answer: app, etag } = await askTagged<OperatorApp>(appPath(id), { signal });
  return { app, etag };
}

/** A step of review, about the content that was seen and no other. */
export function reviewApp(
  { app: { id }, etag }: SeenApp,
  step: ReviewStep,
  details?: ReviewDetails,
): Promise<OperatorApp> {
  return ask(`${appPath(id)}/${step}`, { method: 'POST', ifMatch: etag, ...(details && { body: details }) });
}

/** Stores an image for the apps of one developer. */
export function addLogo(developerId: string, image: File): Promise<Logo> {
  const body = new FormData();
  body.set('developerId', developerId);
  body.set('image', image);
  return create(`${api}/logos`, body);
}

/** Makes an app show a logo, if its content is still what was seen. */
export function giveLogo({ app: { id }, etag }: SeenApp, logoId: string): Promise<OperatorApp> {
  return ask(appPath(id), { method: 'PATCH', body: { logoId }, ifMatch: etag });
}

function appPath(id: string): string {
  return `${api}/apps/${encodeURIComponent(id)}`;
}

export function showDeveloper(userId: string): Promise<Developer> {
  return ask(`${api}/developers/${encodeURIComponent(userId)}`);
}

export function listInstallations(
  query: Listing & { appId: string },
  signal: AbortSignal,
): Promise<PageOf<Installation>> {
  return ask(`${api}/installations${search(query)}`, { signal });
}

export function setInstallationEnabled(id: string, enabled: boolean): Promise<Installation> {
  const path = `${api}/installations/${encodeURIComponent(id)}/${enabled ? 'enable' : 'disable'}`;
  return ask(path, { method: 'POST' });
}

/** What has happened to an app, the latest first. */
export function listEvents(query: Listing & { appId: string }, signal: AbortSignal): Promise<PageOf<Event>> {
  return ask(`${api}/events${search({ ...query, newestFirst: true })}`, { signal });
}

export function listTokens(query: Listing, signal: AbortSignal): Promise<PageOf<ListedAccessToken>> {
  return ask(`${api}/tokens${search(query)}`, { signal });
}

/** The answer is the only one that holds the text of the token. */
export function issueToken(token: NewAccessToken): Promise<IssuedAccessToken> {
  return create(`${api}/tokens`, token);
}

export function revokeToken(id: string): Promise<AccessToken> {
  return ask(`${api}/tokens/${encodeURIComponent(id)}/revoke`, { method: 'POST' });
}

export function listWebhooks(query: Listing, signal: AbortSignal): Promise<PageOf<Webhook>> {
  return ask(`${api}/webhooks${search(query)}`, { signal });
}

export function showWebhook(id: string, signal: AbortSignal): Promise<Webhook> {
  return ask(webhookPath(id), { signal });
}

/** The answer holds the secret, as that of rotating does, and no later one. */
export function createWebhook(webhook: NewWebhook): Promise<WebhookWithSecret> {
  return create(`${api}/webhooks`, webhook);
}

/** After a lost answer asking again shows the same secret, and the one before goes on signing. */
export function rotateWebhookSecret(id: string): Promise<WebhookWithSecret> {
  return create(`${webhookPath(id)}/rotate`);
}

/** What is pending goes to the new address too. */
export function updateWebhook(id: string, update: WebhookUpdate): Promise<Webhook> {
  return ask(webhookPath(id), { method: 'PATCH', body: update });
}

export function changeWebhook(id: string, change: 'enable' | 'disable' | 'test'): Promise<object> {
  return ask(`${webhookPath(id)}/${change}`, { method: 'POST' });
}

export function deleteWebhook(id: string): Promise<object> {
  return ask(webhookPath(id), { method: 'DELETE' });
}

export function listDeliveries(
  id: string,
  query: Listing & { state?: string | undefined },
  signal: AbortSignal,
): Promise<PageOf<Delivery>> {
  return ask(`${webhookPath(id)}/deliveries${search(query)}`, { signal });
}

export function redeliver(id: string): Promise<Delivery> {
  return ask(`${api}/deliveries/${encodeURIComponent(id)}/redeliver`, { method: 'POST' });
}

/** All that was queued then or later, in its order. */
export function redeliverSince(id: string, since: Date): Promise<Redelivered> {
  return ask(`${webhookPath(id)}/redeliver`, { method: 'POST', body: { since: since.toISOString() } });
}

function webhookPath(id: string): string {
  return `${api}/webhooks/${encodeURIComponent(id)}`;
}

function search(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
