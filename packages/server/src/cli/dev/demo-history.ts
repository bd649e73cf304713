import { createApp } from '../../features/apps/create-app.ts';
import { stepOperations } from '../../features/apps/review/review-steps.ts';
import { updateAppAsOperator } from '../../features/apps/update-app-as-operator.ts';
import { createDeveloper } from '../../features/developers/create-developer.ts';
import { createInstallation } from '../../features/installations/create-installation.ts';
import { setInstallationEnabled } from '../../features/installations/set-installation-enabled.ts';
import { createLogo } from '../../features/logos/create-logo.ts';
import { recordDailyCounts } from '../../features/overview/record-daily-counts.ts';
import { runOperation } from '../../kernel/operation.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { newId } from '../../kernel/type-id.ts';
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
    const { userId: developerId } = await createDeveloper(daysBefore(registry, daysMax), commandLine, developer);
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
    const call = { caller: commandLine, params: { id: app.id }, body };
    if (stepDay === daysAgo) await runOperation(stepOperations[step], registry, call);
  }
  if (demo.updated?.[0] === daysAgo) {
    const update = { listingInfo: { longDescription: demo.updated[1] } };
    await updateAppAsOperator(registry, commandLine, { appId: app.id, update, ifRevision: undefined });
  }
  while (app.installations < installationsBy(demo, daysAgo)) await install(registry, app);
}

async function create(registry: Registry, { developerId, demo }: SimulatedApp): Promise<string> {
  const { name, shortDescription, longDescription, backgroundColor, site } = demo;
  const logo = demo.logo && { developerId, image: demoLogo(...demo.logo) };
  const { id } = await createApp(registry, commandLine, {
    developerId,
    name,
    ...(logo && { logoId: (await createLogo(registry, commandLine, logo)).id }),
    listingInfo: { shortDescription, longDescription, backgroundColor },
    oauthInfo: { loginUrl: `${site}/login`, callbackUrl: `${site}/oauth/callback` },
  });
  return id;
}

/** Grows from the last review step to today. */
function installationsBy({ createdDaysAgo, steps, workspaces }: DemoApp, daysAgo: number): number {
  const start = steps.at(-1)?.[0] ?? createdDaysAgo;
  return daysAgo > start ? 0 : Math.ceil(workspaces * ((start - daysAgo + 1) / (start + 1)) ** 1.4);
}

async function install(registry: Registry, app: SimulatedApp): Promise<void> {
  app.installations += 1;
  // Only the developer may install an app that is not approved.
  const { id } = await createInstallation(registry, commandLine, {
    appId: app.id,
    workspaceId: newId(registry.workspaceIdPrefix),
    userId: app.installations === 1 ? app.developerId : newId(registry.userIdPrefix),
  });
  if (app.installations > 1 && app.installations === app.demo.workspaces) {
    await setInstallationEnabled(registry, commandLine, { id, enabled: false });
  }
}
