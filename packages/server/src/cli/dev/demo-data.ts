import type { ReviewStep } from '../../contract/review.ts';
import { addLogo } from '../../registry/add-logo.ts';
import { createApp } from '../../registry/create-app.ts';
import { createDeveloper } from '../../registry/create-developer.ts';
import { createInstallation } from '../../registry/create-installation.ts';
import { issueToken } from '../../registry/issue-token.ts';
import { commandLine, type Registry } from '../../registry/registry.ts';
import { reviewApp } from '../../registry/review-app.ts';
import { setInstallationEnabled } from '../../registry/set-installation-enabled.ts';
import { newId } from '../../registry/type-id.ts';
import { demoLogo } from './demo-logo.ts';

export interface DemoData {
  developerToken: string;
  platformToken: string;
  /** With every scope. */
  operatorToken: string;
  /** The apps of the developer whose token this is. */
  apps: { id: string; name: string; reviewStatus: string }[];
}

interface DemoApp {
  name: string;
  shortDescription: string;
  longDescription: string;
  backgroundColor: string;
  site: string;
  logo: [color: number, accent: number];
  steps: ReviewStep[];
  /** In how many workspaces it is installed; the last installation is disabled. */
  workspaces: number;
}

const demoApps: DemoApp[] = [
  {
    name: 'Invoice Sync',
    shortDescription: 'Keeps invoices and ledgers in step.',
    longDescription:
      'Invoice Sync copies every invoice to your ledger within a minute, with its tax and its attachments.\n\nNothing to configure: connect both accounts and choose a start date.',
    backgroundColor: '#0b5fff',
    site: 'https://invoice-sync.example',
    logo: [0x0b5fff, 0xffc53d],
    steps: ['submit', 'approve'],
    workspaces: 4,
  },
  {
    name: 'Standup Notes',
    shortDescription: 'Collects what the team did, before the meeting.',
    longDescription: 'Asks everyone three questions in the morning and posts the answers to one channel.',
    backgroundColor: '#12a150',
    site: 'https://standup-notes.example',
    logo: [0x12a150, 0xffffff],
    steps: ['submit'],
    workspaces: 0,
  },
  {
    name: 'Étagère – Wissensdatenbank',
    shortDescription: 'Your handbook, searchable from anywhere.',
    longDescription: 'Étagère reads the documents that a workspace shares and answers with the paragraph that matters.',
    backgroundColor: '#fa5252',
    site: 'https://etagere.example',
    logo: [0xfa5252, 0x2b2b2b],
    steps: ['submit', 'reject'],
    workspaces: 0,
  },
  {
    name: 'Shift Planner',
    shortDescription: 'Rosters that respect everyone’s week.',
    longDescription: 'Plans shifts from availability, contracts and rest times, and tells people when theirs changes.',
    backgroundColor: '#845ef7',
    site: 'https://shift-planner.example',
    logo: [0x845ef7, 0x63e6be],
    steps: [],
    workspaces: 1,
  },
];

/** Fills an empty registry with a developer, apps in every review state, installations and tokens. */
export async function createDemoData(registry: Registry): Promise<DemoData> {
  const developer = await createDeveloper(registry, commandLine, {
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
  });
  const apps: DemoData['apps'] = [];
  for (const app of demoApps) apps.push(await createDemoApp(registry, developer.userId, app));
  const issue = async (given: object) => (await issueToken(registry, commandLine, given)).token;
  return {
    developerToken: await issue({ kind: 'developer', developerId: developer.userId, name: 'demo developer' }),
    platformToken: await issue({ kind: 'platform', name: 'demo platform' }),
    operatorToken: await issue({ kind: 'operator', scopes: ['admin'], name: 'demo operator' }),
    apps,
  };
}

async function createDemoApp(
  registry: Registry,
  developerId: string,
  demo: DemoApp,
): Promise<DemoData['apps'][number]> {
  const logo = await addLogo(registry, commandLine, { developerId, image: await demoLogo(...demo.logo) });
  const { name, shortDescription, longDescription, backgroundColor } = demo;
  let app = await createApp(registry, commandLine, {
    developerId,
    name,
    logoId: logo.id,
    listingInfo: { shortDescription, longDescription, backgroundColor },
    oauthInfo: { loginUrl: `${demo.site}/login`, callbackUrl: `${demo.site}/oauth/callback` },
  });
  for (const step of demo.steps) {
    const details = step === 'reject' ? { reason: 'The callback address does not answer.' } : {};
    app = await reviewApp(registry, commandLine, { appId: app.id, step, details });
  }
  await install(registry, { appId: app.id, developerId, workspaces: demo.workspaces });
  return { id: app.id, name, reviewStatus: app.reviewStatus };
}

async function install(
  registry: Registry,
  { appId, developerId, workspaces }: { appId: string; developerId: string; workspaces: number },
): Promise<void> {
  for (let index = 0; index < workspaces; index += 1) {
    // The developer alone may install what is not approved.
    const { id } = await createInstallation(registry, commandLine, {
      appId,
      workspaceId: newId(registry.workspaceIdPrefix),
      userId: index === 0 ? developerId : newId(registry.userIdPrefix),
    });
    if (index > 0 && index === workspaces - 1) {
      await setInstallationEnabled(registry, commandLine, { id, enabled: false });
    }
  }
}
