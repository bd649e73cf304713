import { randomInt } from 'node:crypto';
import { type AppContent, contentOf, placeInView, updateTo } from './app-content.ts';
import { contentFields } from './content-fields.ts';
import { guarantees } from './guarantees/index.ts';
import { get, update } from './guarantees/requests.ts';
import { type HttpResponse, jsonAt } from './http-response.ts';
import type { InterfaceGuarantee, Need, Profile } from './interface-guarantee.ts';
import { shown } from './mismatches.ts';
import { Placeholders } from './placeholders.ts';
import { type Breach, exchange, runGuarantee, type Target } from './run-guarantee.ts';

export interface ConformanceOptions {
  baseUrl: string;
  /** The app that is changed, and restored at the end. */
  appId: string;
  developerToken: string;
  platformToken: string;
  otherDeveloperToken?: string | undefined;
  otherAppId?: string | undefined;
  logoId?: string | undefined;
  profile: Profile;
  /** Only guarantees whose name contains one of these texts, in any case; all if there is none. */
  only?: readonly string[];
  signal?: AbortSignal;
  onResult?: (result: GuaranteeResult) => void;
  onWait?: (seconds: number) => void;
}

export interface GuaranteeResult {
  name: string;
  source: string;
  profile: Profile;
  outcome: 'ok' | 'fails' | 'skipped';
  /** Why it was skipped. */
  reason?: string;
  breaches: readonly Breach[];
}

export interface ConformanceReport {
  results: readonly GuaranteeResult[];
  /** What is wrong with the run itself: it was interrupted, or the app was not restored. */
  failures: readonly string[];
}

/** The run could not start. */
export class ConformanceError extends Error {
  override name = 'ConformanceError';
}

const noNeed: Record<Need, string> = {
  otherDeveloperToken: 'needs a token of another developer',
  otherApp: 'needs another app',
  logo: 'needs a logo of the developer, and an app without one',
  noLogo: 'needs an app without a logo',
  installation: 'needs an app that is installed',
  draft: 'needs an app that is a DRAFT',
};

/**
 * Checks the guarantees one after another, and restores the app, also if the run is aborted. Throws a `ConformanceError`
 * before any change if the app cannot be read or restored.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const target = targetOf(options);
  const selected = selectedGuarantees(options);
  const view = await readApp(target);
  const content = restorableContent(view);
  const missing = await missingNeeds(target, options, view);
  const results: GuaranteeResult[] = [];
  const interruption = await check(target, selected, missing, (result) => {
    results.push(result);
    options.onResult?.(result);
  });
  const unrestored = await restore(target, content);
  return { results, failures: [interruption, unrestored].filter((failure) => failure !== undefined) };
}

/** Returns why the run ended early, if it did. */
async function check(
  target: Target,
  selected: typeof guarantees,
  missing: ReadonlySet<Need>,
  onResult: (result: GuaranteeResult) => void,
): Promise<string | undefined> {
  try {
    for (const guarantee of selected) onResult(await resultOf(target, guarantee, missing));
    return undefined;
  } catch (error) {
    if (target.signal.aborted) return 'The run was interrupted.';
    throw error;
  }
}

function targetOf({ signal, onWait, ...options }: ConformanceOptions): Target {
  return {
    baseUrl: new URL(options.baseUrl),
    signal: signal ?? new AbortController().signal,
    onWait: onWait ?? (() => {}),
    placeholders: new Placeholders({
      app: options.appId,
      otherApp: options.otherAppId,
      logo: options.logoId,
      developerToken: options.developerToken,
      platformToken: options.platformToken,
      otherDeveloperToken: options.otherDeveloperToken,
      unique: String(randomInt(10_000_000, 100_000_000)),
    }),
  };
}

function selectedGuarantees({ profile, only = [] }: ConformanceOptions): typeof guarantees {
  const wanted = only.map((text) => text.toLowerCase());
  const selected = guarantees
    .filter((guarantee) => profile === 'full' || guarantee.profile === 'interface')
    .filter(({ name }) => wanted.length === 0 || wanted.some((text) => name.toLowerCase().includes(text)));
  if (selected.length === 0) throw new ConformanceError(`No guarantee of the profile ${profile} matches --only.`);
  return selected;
}

async function resultOf(
  target: Target,
  guarantee: InterfaceGuarantee & { profile: Profile },
  missing: ReadonlySet<Need>,
): Promise<GuaranteeResult> {
  const { name, source, profile, needs = [] } = guarantee;
  const reason = needs.find((need) => missing.has(need));
  if (reason) return { name, source, profile, outcome: 'skipped', reason: noNeed[reason], breaches: [] };
  const breaches = await runGuarantee(target, guarantee);
  return { name, source, profile, outcome: breaches.length === 0 ? 'ok' : 'fails', breaches };
}

async function missingNeeds(target: Target, options: ConformanceOptions, app: HttpResponse): Promise<Set<Need>> {
  const platform = await exchange(target, target.placeholders.fillRequest(get())).catch(unreachable);
  const installations = jsonAt(platform, '/installations');
  const has: Record<Need, boolean> = {
    otherDeveloperToken: options.otherDeveloperToken !== undefined,
    otherApp: options.otherAppId !== undefined,
    logo: options.logoId !== undefined && jsonAt(app, '/logoUrl') === undefined,
    noLogo: jsonAt(app, '/logoUrl') === undefined,
    installation: Array.isArray(installations) && installations.length > 0,
    draft: jsonAt(app, '/reviewStatus') === 'DRAFT',
  };
  return new Set((Object.keys(has) as Need[]).filter((need) => !has[need]));
}

async function readApp(target: Target): Promise<HttpResponse> {
  const view = await exchange(target, target.placeholders.fillRequest(update({}))).catch(unreachable);
  if (view.status === 200) return view;
  throw new ConformanceError(`The app cannot be read. An empty update got ${view.status} ${shown(view.text)}`);
}

function unreachable(error: Error): never {
  throw new ConformanceError(`The registry cannot be reached: ${error.message}`);
}

/** Throws if this app cannot be restored. */
function restorableContent(view: HttpResponse): AppContent {
  const content = contentOf(view);
  const missing = contentFields.find((field) => !field.isOptional && typeof content[placeInView(field)] !== 'string');
  if (missing) throw new ConformanceError(`The developer view has no text ${missing.pointer}: ${shown(view.text)}`);
  if (jsonAt(view, '/reviewStatus') === 'AWAITING_REVIEW') {
    throw new ConformanceError('The app awaits review and cannot be changed. Use another app.');
  }
  return content;
}

/** Restores the app, also after an abort. If that fails, returns why, with the original content. */
async function restore(target: Target, content: AppContent): Promise<string | undefined> {
  const unaborted = { ...target, signal: new AbortController().signal };
  // The content is no template: braces in it are text.
  const send = (change: ReturnType<typeof updateTo>) =>
    exchange(unaborted, { ...target.placeholders.fillRequest(update({})), body: JSON.stringify(change) });
  const now = await send(updateTo(content)).then(
    async () => JSON.stringify(contentOf(await send({}))),
    (error: Error) => error.message,
  );
  const before = JSON.stringify(content);
  return now === before ? undefined : `The app was not restored. It was ${before} and is now ${now}.`;
}
