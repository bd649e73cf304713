import { createApp } from '../../registry/apps/create-app.ts';
import { updateAppAsOperator } from '../../registry/apps/update-app-as-operator.ts';
import { createDeveloper } from '../../registry/developers/create-developer.ts';
import { createInstallation } from '../../registry/installations/create-installation.ts';
import { setInstallationEnabled } from '../../registry/installations/set-installation-enabled.ts';
import { addLogo } from '../../registry/logos/add-logo.ts';
import { recordDailyCounts } from '../../registry/overview/record-daily-counts.ts';
import { commandLine, type Registry } from '../../registry/registry.ts';
import { reviewApp } from '../../registry/review/review-app.ts';
import { newId } from '../../registry/type-id.ts';
import { type DemoApp, demoDevelopers } from './demo-apps.ts';
import { demoLogo } from './demo-logo.ts';

const dayMs = 86_400_000;
const daysMax = 42;

/** An app as far as its story has gone. */
export interface LivedApp {
  developerId: string;
  demo: DemoApp;
  /** Empty until it is created. */
  id: string;
  installations: number;
}

/** Lives through the stories of the demo apps, day by day, by the rules and a clock that is put back. */
export async function liveDemoHistory(registry: Registry): Promise<LivedApp[]> {
  const apps: LivedApp[] = [];
  for (const { apps: demoApps, ...developer } of demoDevelopers) {
    const { userId: developerId } = await createDeveloper(daysBefore(registry, daysMax), commandLine, developer);
    apps.push(...demoApps.map((demo) => ({ developerId, demo, id: '', installations: 0 })));
  }
  for (let daysAgo = daysMax; daysAgo >= 0; daysAgo -= 1) {
    const then = daysBefore(registry, daysAgo);
    for (const app of apps) await liveDay(then, app, daysAgo);
    await recordDailyCounts(then);
  }
  return apps;
}

function daysBefore(registry: Registry, days: number): Registry {
  return { ...registry, now: () => registry.now() - days * dayMs };
}

async function liveDay(registry: Registry, app: LivedApp, daysAgo: number): Promise<void> {
  const { demo } = app;
  if (demo.created === daysAgo) app.id = await create(registry, app);
  for (const [stepDay, step] of demo.steps) {
    const details = step === 'reject' ? { reason: 'The callback address does not answer.' } : {};
    if (stepDay === daysAgo) await reviewApp(registry, commandLine, { appId: app.id, step, details });
  }
  if (demo.updated?.[0] === daysAgo) {
    const update = { listingInfo: { longDescription: demo.updated[1] } };
    await updateAppAsOperator(registry, commandLine, { appId: app.id, update, ifRevision: undefined });
  }
  while (app.installations < installationsBy(demo, daysAgo)) await install(registry, app);
}

async function create(registry: Registry, { developerId, demo }: LivedApp): Promise<string> {
  const { name, shortDescription, longDescription, backgroundColor, site } = demo;
  const logo = demo.logo && { developerId, image: await demoLogo(...demo.logo) };
  const { id } = await createApp(registry, commandLine, {
    developerId,
    name,
    ...(logo && { logoId: (await addLogo(registry, commandLine, logo)).id }),
    listingInfo: { shortDescription, longDescription, backgroundColor },
    oauthInfo: { loginUrl: `${site}/login`, callbackUrl: `${site}/oauth/callback` },
  });
  return id;
}

/** More each day, from the last step of its story to today. */
function installationsBy({ created, steps, workspaces }: DemoApp, daysAgo: number): number {
  const began = steps.at(-1)?.[0] ?? created;
  return daysAgo > began ? 0 : Math.ceil(workspaces * ((began - daysAgo + 1) / (began + 1)) ** 1.4);
}

async function install(registry: Registry, app: LivedApp): Promise<void> {
  app.installations += 1;
  // The developer alone may install what is not approved.
  const { id } = await createInstallation(registry, commandLine, {
    appId: app.id,
    workspaceId: newId(registry.workspaceIdPrefix),
    userId: app.installations === 1 ? app.developerId : newId(registry.userIdPrefix),
  });
  if (app.installations > 1 && app.installations === app.demo.workspaces) {
    await setInstallationEnabled(registry, commandLine, { id, enabled: false });
  }
}
