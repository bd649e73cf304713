import { setTimeout as sleep } from 'node:timers/promises';
import { curlOf } from './curl.ts';
import { update } from './guarantees/requests.ts';
import type { HttpResponse } from './http-response.ts';
import type { Expectation, HttpRequest, InterfaceGuarantee, Profile, Step } from './interface-guarantee.ts';
import { type Mismatch, mismatchesOf } from './mismatches.ts';
import type { Placeholders } from './placeholders.ts';
import { send } from './send.ts';

/** A response that breaks a guarantee. */
export interface Breach {
  /** As a curl command. */
  request: string;
  mismatches: readonly Mismatch[];
}

export interface Target {
  baseUrl: URL;
  placeholders: Placeholders;
  signal: AbortSignal;
  /** Called before waiting for the quota of a token. */
  onWait: (seconds: number) => void;
}

/** Sends the steps of a guarantee until one of them breaks it. Throws if the signal aborts. */
export function runGuarantee(target: Target, guarantee: InterfaceGuarantee & { profile: Profile }): Promise<Breach[]> {
  const { steps, changesNothing, profile } = guarantee;
  if (!changesNothing) return runSteps(target, steps);
  const view = { requests: [update({})], expect: { status: 200 } };
  const same = { requests: [update({})], expect: { status: 200, ...unchanged[profile] } };
  return runSteps(target, [{ as: 'before', ...view }, ...steps, same]);
}

/** What must stay unchanged. The interface does not say when `updatedAt` advances. */
const unchanged: Record<Profile, Omit<Expectation, 'status'>> = {
  interface: {
    body: Object.fromEntries(
      ['/name', '/createdAt', '/reviewStatus', '/listingInfo', '/oauthInfo', '/logoUrl'].map((pointer) => [
        pointer,
        { sameAs: `before${pointer}` },
      ]),
    ),
  },
  full: { body: { '': { sameAs: 'before' } }, headers: { etag: { equals: '{before.etag}' } } },
};

/** Sends a request. After a 429, waits for `Retry-After` and retries. */
export async function exchange(target: Target, request: HttpRequest): Promise<HttpResponse> {
  for (let tries = 1; ; tries += 1) {
    target.signal.throwIfAborted();
    const response = await send(target.baseUrl, request);
    const seconds = Number(response.headers['retry-after']);
    if (response.status !== 429 || tries === triesMax || !(seconds <= waitSecondsMax)) return response;
    target.onWait(seconds);
    await sleep(seconds * 1_000, undefined, { signal: target.signal });
  }
}

const triesMax = 4;
/** Update quotas are per minute. */
const waitSecondsMax = 120;

async function runSteps(target: Target, steps: readonly Step[]): Promise<Breach[]> {
  let { placeholders } = target;
  for (const { as, requests, expect } of steps) {
    const breaches: Breach[] = [];
    for (const template of requests) {
      const request = placeholders.fillRequest(template);
      const known = placeholders;
      const breach = await exchange(target, request).then(
        (response) => {
          if (as) placeholders = placeholders.with(as, response);
          return mismatchesOf(response, expect, known);
        },
        (error: Error) => noResponse(target, error),
      );
      if (breach.length > 0) breaches.push({ request: curlOf(target.baseUrl, request), mismatches: breach });
    }
    if (breaches.length > 0) return breaches;
  }
  return [];
}

function noResponse({ signal }: Target, error: Error): Mismatch[] {
  signal.throwIfAborted();
  return [{ part: 'response', expected: 'a whole HTTP response', received: error.message }];
}
