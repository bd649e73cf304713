import { newId } from '../../src/kernel/ids.ts';
import { app, developer, ids, images, installation, logo, none } from './fixture-objects.ts';
import type { Given, OperationFixtures } from './operation-fixture.ts';

const longAgo = '2020-01-01T00:00:00.000Z';
const reason = 'It shows a foreign trademark.';
const dryRun = { dryRun: true };
const install = (appId: string) => ({ body: { appId, workspaceId: ids.studio, userId: none.developer } });

const [installed, stranded] = [app({ reviewStatus: 'APPROVED' }), app()];
const closing = newId('workspace');
for (const appId of [ids.approved, app({ reviewStatus: 'APPROVED' })]) installation({ appId, workspaceId: closing });
const [enabled, disabled, deleted] = [installation({ enabled: false }), installation(), installation()];
const notApproved = installation({ appId: stranded, enabled: false });
const artist = developer();
const [blocked, unblocked, unused] = [0, 1, 2].map(() => logo({ developerId: artist })) as [string, string, string];
const block: Given = ['blockLogo', { id: unblocked, body: { reason } }];

export const installationFixtures = {
  createInstallation: {
    done: [install(installed)],
    refused: {
      already_exists: install(installed),
      app_not_found: install(none.app),
      app_not_approved: install(ids.rejected),
      developer_suspended: { ...install(ids.hostileApproved) },
      invalid_content: { body: { appId: installed, workspaceId: 'office', userId: 'ada' } },
    },
  },
  listInstallations: {
    done: [
      { query: { appId: ids.approved, limit: 1, withTotal: true } },
      { query: { appId: ids.approved, cursor: 'nextCursor' } },
      { query: { workspaceId: ids.office, userId: ids.grace } },
      {},
      { query: { ids: [ids.installation, none.installation] } },
      { query: { appId: ids.approved, enabled: true, limit: 1 } },
      { query: { enabled: false } },
      { query: { appId: ids.approved, sort: '-createdAt', since: longAgo, until: longAgo, withTotal: true } },
    ],
    refused: {
      invalid_content: [
        { query: { ids: [ids.installation], appId: ids.approved } },
        { query: { sort: 'appId' } },
        { query: { appId: 'x', workspaceId: 'y', userId: 'z' } },
      ],
    },
  },
  getInstallation: { done: [{ id: ids.disabled }, { id: ids.hostileInstallation }] },
  enableInstallation: {
    done: [{ id: enabled }],
    refused: {
      app_not_approved: { id: notApproved },
      developer_suspended: { id: ids.hostileInstallation },
    },
  },
  disableInstallation: { done: [{ id: disabled }] },
  deleteInstallation: {
    done: [{ id: deleted, query: dryRun }, { id: deleted }],
    refused: { installation_not_found: { id: deleted } },
  },
  deleteWorkspaceInstallations: {
    done: [{ id: closing, query: dryRun }, { id: closing }],
    refused: { invalid_content: { id: 'office' } },
  },

  createLogo: {
    done: [{ form: { developerId: ids.grace, image: images.logo } }],
    refused: {
      developer_not_found: { form: { developerId: none.developer, image: images.logo } },
      invalid_content: { form: { developerId: 'ada', image: images.text } },
    },
  },
  listLogos: {
    done: [
      { query: { sort: '-id', limit: 1 } },
      { query: { developerId: artist, limit: 1 } },
      { query: { developerId: artist, cursor: 'nextCursor' } },
    ],
    refused: {
      invalid_content: [{ query: { developerId: 'ada' } }, { query: { developerId: artist, cursor: 'x' } }],
    },
  },
  getLogo: { done: [{ id: unblocked }, { id: ids.logo }] },
  blockLogo: {
    done: [{ id: blocked, body: { reason } }],
    refused: { invalid_content: { id: blocked, body: { reason: '' } } },
  },
  unblockLogo: { done: [{ given: [block], id: unblocked }] },
  deleteLogo: { done: [{ id: unused }], refused: { logo_in_use: { id: ids.logo } } },
} satisfies OperationFixtures;
