import type { ReceivedResponse, SentRequest } from '@appregistrar/client';

/** For how long a request that changes something may be on its way before its event counts as that of someone else. */
const onItsWayMsMax = 5_000;
const rememberedMax = 100;

/** The latest requests of this window that changed something: it knows what they did. */
const own = new Set<string>();
let sentAt = Number.NEGATIVE_INFINITY;

/** Of the clock of the registry to that of this browser, as far as responses show it: rather too little. */
let clockMs = 0;

export function noteRequest({ method }: SentRequest): void {
  if (method !== 'GET') sentAt = performance.now();
}

export function noteResponse({ method, response }: ReceivedResponse): void {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isNaN(date)) clockMs = date - Date.now();
  if (method === 'GET') return;
  sentAt = Number.NEGATIVE_INFINITY;
  if (response.requestId !== undefined) own.add(response.requestId);
  for (const oldest of [...own].slice(0, -rememberedMax)) own.delete(oldest);
}

export function isOwnRequest(requestId: string | undefined): boolean {
  return requestId !== undefined && own.has(requestId);
}

/** Whether a response is pending that will show which event is from this window. */
export function isChanging(): boolean {
  return performance.now() - sentAt < onItsWayMsMax;
}

/** Now, by the clock of the registry, and up to a second earlier. */
export function registryTime(): string {
  return new Date(Date.now() + clockMs).toISOString();
}
