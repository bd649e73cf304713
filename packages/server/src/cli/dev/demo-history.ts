import { createApp, updateAppAsOperator } from '../../features/apps/operator-apps.ts';
import { stepOperations } from '../../features/apps/review/review-steps.ts';
import { createDeveloper } from '../../features/developers/developers.ts';
import { createInstallation, disableInstallation } from '../../features/installations/installations.ts';
import { createLogo } from '../../features/logos/logos.ts';
import { recordDailyCounts } from '../../features/overview/daily-counts.ts';
import { newId } from '../../kernel/ids.ts';
import { runOperation } from '../../kernel/operation.ts';
import { commandLine as caller, type Registry } from '../../kernel/registry.ts';
import { type DemoApp, demoDevelopers } from './demo-apps.ts';
import { demoLogo } from './demo-logo.ts';

const dayMs = 86_400_000;
const daysMax = 42;

/** A demo app at the current day of the simulation. */
export interface SimulatedApp {
  developerId: string;
  demo: DemoApp;
  /** Empty until it is created. */
  id: string;
  installations: number;
}

/** Simulates the history of the demo apps day by day, through the rules of the registry and with a clock set back. */
export async function createDemoHistory(registry: Registry): Promise<SimulatedApp[]> {
  const apps: SimulatedApp[] = [];
  for (const { apps: demoApps, ...developer } of demoDevelopers) {
    const { userId: developerId } = await runOperation(createDeveloper, daysBefore(registry, daysMax), {
      caller,
      body: developer,
    });
    apps.push(...demoApps.map((demo) => ({ developerId, demo, id: '', installations: 0 })));
  }
  for (let daysAgo = daysMax; daysAgo >= 0; daysAgo -= 1) {
    const then = daysBefore(registry, daysAgo);
    for (const app of apps) await simulateDay(then, app, daysAgo);
    await recordDailyCounts(then);
  }
  return apps;
}

function daysBefore(registry: Registry, days: number): Registry {
  return { ...registry, now: () => registry.now() - days * dayMs };
}

async function simulateDay(registry: Registry, app: SimulatedApp, daysAgo: number): Promise<void> {
  const { demo } = app;
  if (demo.createdDaysAgo === daysAgo) app.id = await create(registry, app);
  for (const [stepDay, step] of demo.steps) {
    const body = step === 'reject' ? { reason: 'The callback URL does not respond.' } : {};
    const call = { caller, params: { id: app.id }, body };
    if (stepDay === daysAgo) await runOperation(stepOperations[step], registry, call);
  }
  if (demo.updated?.[0] === daysAgo) {
    const body = { listingInfo: { longDescription: demo.updated[1] } };
    await runOperation(updateAppAsOperator, registry, { caller, params: { id: app.id }, body });
  }
  while (app.installations < installationsBy(demo, daysAgo)) await install(registry, app);
}

async function create(registry: Registry, { developerId, demo }: SimulatedApp): Promise<string> {
  const { name, shortDescription, longDescription, backgroundColor, site } = demo;
  const logo = demo.logo && { developerId, image: demoLogo(...demo.logo) };
  const body = {
    developerId,
    name,
    ...(logo && { logoId: (await runOperation(createLogo, registry, { caller, body: logo })).id }),
    listingInfo: { shortDescription, longDescription, backgroundColor },
    oauthInfo: { loginUrl: `${site}/login`, callbackUrl: `${site}/oauth/callback` },
  };
  return (await runOperation(createApp, registry, { caller, body })).id;
}

/** Grows from the last review step to today. */
function installationsBy({ createdDaysAgo, steps, workspaces }: DemoApp, daysAgo: number): number {
  const start = steps.at(-1)?.[0] ?? createdDaysAgo;
  return daysAgo > start ? 0 : Math.ceil(workspaces * ((start - daysAgo + 1) / (start + 1)) ** 1.4);
}

async function install(registry: Registry, app: SimulatedApp): Promise<void> {
  app.installations += 1;
  // Only the developer may install an app that is not approved.
  const userId = app.installations === 1 ? app.developerId : newId(registry.userIdPrefix);
  const body = { appId: app.id, workspaceId: newId(registry.workspaceIdPrefix), userId };
  const { id } = await runOperation(createInstallation, registry, { caller, body });
  if (app.installations > 1 && app.installations === app.demo.workspaces) {
    await runOperation(disableInstallation, registry, { caller, params: { id } });
  }
}
