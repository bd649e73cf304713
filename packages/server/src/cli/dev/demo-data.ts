import { newSignInCode } from '../../features/access/browser-sessions.ts';
import { createToken } from '../../features/access/tokens.ts';
import type { AppUpdate } from '../../features/apps/app-schemas.ts';
import { createApp, getApp, updateApp } from '../../features/apps/operator-apps.ts';
import type { ReviewStep } from '../../features/apps/review/review-status.ts';
import { stepOperations } from '../../features/apps/review/review-steps.ts';
import { createDeveloper } from '../../features/developers/developers.ts';
import { createInstallation, disableInstallation } from '../../features/installations/installations.ts';
import { createLogo } from '../../features/logos/logos.ts';
import { recordDailyCounts } from '../../features/overview/daily-counts.ts';
import { newId } from '../../kernel/ids.ts';
import { runOperation } from '../../kernel/operation.ts';
import { type Caller, commandLine as caller, commandLine, type Registry } from '../../kernel/registry.ts';

interface DemoDeveloper {
  email: string;
  firstName: string;
  lastName: string;
  apps: DemoApp[];
}

/** An app and its history. Days count back from today. */
interface DemoApp {
  name: string;
  shortDescription: string;
  longDescription: string;
  backgroundColor: string;
  site: string;
  logo?: [color: number, accent: number, lines: string];
  createdDaysAgo: number;
  steps: [daysAgo: number, step: ReviewStep][];
  /** A change since the approval. */
  updated?: [daysAgo: number, update: AppUpdate];
  /** In how many workspaces it is installed today; the last installation is disabled. */
  workspaces: number;
}

const ada: DemoApp[] = [
  {
    name: 'Invoice Sync',
    shortDescription: 'Keeps invoices and ledgers in step.',
    longDescription:
      'Invoice Sync copies every invoice to your ledger within a minute, with its tax and its attachments.\n\nNothing to configure: connect both accounts and choose a start date.',
    backgroundColor: '#e7f5ff',
    site: 'https://invoice-sync.example',
    logo: [0x1864ab, 0xffffff, 'M7 9h9l-2-2M17 15H8l2 2'],
    createdDaysAgo: 41,
    steps: [
      [40, 'submit'],
      [38, 'approve'],
    ],
    workspaces: 12,
  },
  {
    name: 'Étagère – Wissensdatenbank',
    shortDescription: 'Your handbook, searchable from anywhere.',
    longDescription: 'Étagère reads the documents that a workspace shares and quotes the paragraph that matters.',
    backgroundColor: '#ffe3e3',
    site: 'https://etagere.example',
    logo: [0xc92a2a, 0xffffff, 'M6 5h10a2 2 0 0 1 2 2v12H8a2 2 0 0 1-2-2zM9 9h6M9 12h6'],
    createdDaysAgo: 25,
    steps: [
      [24, 'submit'],
      [21, 'reject'],
    ],
    workspaces: 0,
  },
  {
    name: 'Standup Notes',
    shortDescription: 'Collects what the team did, before the meeting.',
    longDescription: 'Sends everyone three questions each morning and posts the replies to one channel.',
    backgroundColor: '#d3f9d8',
    site: 'https://standup-notes.example',
    logo: [0x2b8a3e, 0xffffff, 'M4 6h16v10H11l-4 4v-4H4zM8 10h8M8 13h5'],
    createdDaysAgo: 12,
    steps: [[3, 'submit']],
    workspaces: 0,
  },
  {
    name: 'Shift Planner',
    shortDescription: 'Rosters that respect everyone’s week.',
    longDescription:
      'Plans shifts from availability, contracts and rest times, and notifies people when theirs changes.',
    backgroundColor: '#845ef7',
    site: 'https://shift-planner.example',
    logo: [0x5f3dc4, 0xffffff, 'M12 4a8 8 0 1 0 .01 0M12 7v5l3 3'],
    createdDaysAgo: 6,
    steps: [],
    workspaces: 1,
  },
];

const grace: DemoApp[] = [
  {
    name: 'Receipt Box',
    shortDescription: 'Receipts from a photo to the expense report.',
    longDescription: 'Reads the amount, the tax and the date from a photo, and files it with the right project.',
    backgroundColor: '#ffe066',
    site: 'https://receiptbox.example',
    logo: [0xe67700, 0xffffff, 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6'],
    createdDaysAgo: 36,
    steps: [
      [35, 'submit'],
      [33, 'approve'],
    ],
    updated: [
      9,
      {
        listingInfo: {
          longDescription:
            'Reads the amount, the tax and the date from a photo or a PDF, and files it with the right project.',
          backgroundColor: '#ffdf66',
        },
        oauthInfo: { callbackUrl: 'https://receiptbox-login.example/oauth/callback' },
      },
    ],
    workspaces: 31,
  },
  {
    name: 'Parcel Tracker',
    shortDescription: 'Where every delivery is, in one channel.',
    longDescription: 'Follows the parcels of eleven carriers and alerts a channel when one is late.',
    backgroundColor: '#0c8599',
    site: 'https://parcel-tracker.example',
    createdDaysAgo: 23,
    steps: [
      [22, 'submit'],
      [19, 'approve'],
    ],
    workspaces: 17,
  },
  {
    name: 'Weekly Digest',
    shortDescription: 'What happened this week, on one page.',
    longDescription: 'Gathers decisions and open questions of the week, and sends them on Friday at noon.',
    backgroundColor: '#343a40',
    site: 'https://weekly-digest.example',
    createdDaysAgo: 20,
    steps: [
      [18, 'submit'],
      [16, 'reject'],
      [5, 'submit'],
    ],
    workspaces: 0,
  },
];

/** The first one gets a token. */
const demoDevelopers: [DemoDeveloper, ...DemoDeveloper[]] = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', apps: ada },
  { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', apps: grace },
];

/** An SVG of lines on a rounded square. */
export function demoLogo(color: number, accent: number, lines = 'M5 12h14M12 5v14'): Uint8Array {
  const square = `<rect width="24" height="24" rx="5" fill="${hex(color)}"/>`;
  const stroke = `fill="none" stroke="${hex(accent)}" stroke-width="1.5" stroke-linejoin="round"`;
  const shape = `<path d="${lines}" ${stroke} transform="translate(3 3) scale(.75)"/>`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${square}${shape}</svg>`);
}

function hex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

const dayMs = 86_400_000;
const daysMax = 42;

/** A demo app at the current day of the simulation. */
interface SimulatedApp {
  developerId: string;
  owner: Caller;
  demo: DemoApp;
  /** Empty until it is created. */
  id: string;
  installations: number;
}

const reviewerName = 'Ruth Moreno';
const reviewer = named(reviewerName);

function named(name: string): Caller {
  return { ...caller, actor: `command-line:${name}` };
}

/** Simulates the history of the demo apps day by day, through the rules of the registry and with a clock set back. */
export async function createDemoHistory(registry: Registry): Promise<SimulatedApp[]> {
  const apps: SimulatedApp[] = [];
  for (const { apps: demoApps, ...developer } of demoDevelopers) {
    const { id: developerId } = await runOperation(createDeveloper, daysBefore(registry, daysMax), {
      caller,
      body: developer,
    });
    const owner = named(`${developer.firstName} ${developer.lastName}`);
    apps.push(...demoApps.map((demo) => ({ developerId, owner, demo, id: '', installations: 0 })));
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
    if (stepDay !== daysAgo) continue;
    const call = { caller: step === 'submit' ? app.owner : reviewer, params: { id: app.id } };
    const { etag: revision } = await runOperation(getApp, registry, call);
    const message = 'The callback URL does not respond.';
    const body = { ...(step !== 'submit' && { revision }), ...(step === 'reject' && { message }) };
    await runOperation(stepOperations[step], registry, { ...call, body });
  }
  if (demo.updated?.[0] === daysAgo) {
    await runOperation(updateApp, registry, { caller: app.owner, params: { id: app.id }, body: demo.updated[1] });
  }
  while (app.installations < installationsBy(demo, daysAgo)) await install(registry, app);
}

async function create(registry: Registry, { developerId, owner, demo }: SimulatedApp): Promise<string> {
  const { name, shortDescription, longDescription, backgroundColor, site } = demo;
  const logo = demo.logo && { developerId, image: demoLogo(...demo.logo) };
  const body = {
    developerId,
    name,
    ...(logo && { logoId: (await runOperation(createLogo, registry, { caller: owner, body: logo })).id }),
    listingInfo: { shortDescription, longDescription, backgroundColor },
    oauthInfo: { loginUrl: `${site}/login`, callbackUrl: `${site}/oauth/callback` },
  };
  return (await runOperation(createApp, registry, { caller: owner, body })).id;
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

export interface DemoData {
  developerToken: string;
  platformToken: string;
  /** Has every scope. */
  operatorToken: string;
  /** Signs in to the console with the operator token, once. */
  signInCode: string;
  /** The apps of the developer that `developerToken` belongs to. */
  apps: { id: string; name: string; reviewStatus: string }[];
}

/** Fills an empty registry with developers, apps in every review state, six weeks of their history, and tokens. */
export async function createDemoData(registry: Registry): Promise<DemoData> {
  const all = await createDemoHistory(registry);
  const developerId = all[0]?.developerId;
  const own = all.filter((app) => app.developerId === developerId);
  const apps = await Promise.all(
    own.map(({ id }) => runOperation(getApp, registry, { caller: commandLine, params: { id } })),
  );
  const issue = (body: object) => runOperation(createToken, registry, { caller: commandLine, body });
  const operator = await issue({ kind: 'operator', scopes: ['admin'], name: reviewerName });
  const code = await newSignInCode(registry, operator.id);
  return {
    developerToken: (await issue({ kind: 'developer', developerId, name: 'demo developer' })).token,
    platformToken: (await issue({ kind: 'platform', name: 'demo platform' })).token,
    operatorToken: operator.token,
    signInCode: code?.text ?? '',
    apps: apps.map(({ id, name, reviewStatus }) => ({ id, name, reviewStatus })),
  };
}
