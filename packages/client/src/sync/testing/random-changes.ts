import { randomInt, randomUUID } from 'node:crypto';
import { AppRegistryError } from '../../client/errors.ts';
import type { OperatorClient } from '../../operator/operator-client.ts';

/** What random changes change. Of everything there are few, so that changes meet. */
export interface Playground {
  appIds: string[];
  developerIds: string[];
  workspaceIds: string[];
}

/** Makes changes of every kind that a copy shows, one after another. Those that the registry refuses change nothing. */
export async function changeAtRandom(operator: OperatorClient, playground: Playground, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const change = changes[randomInt(changes.length)] as (typeof changes)[number];
    try {
      await change(operator, playground);
    } catch (error) {
      if (!AppRegistryError.is(error) || !isRefusal(error)) throw error;
    }
  }
}

function isRefusal({ statusCode = 0 }: AppRegistryError): boolean {
  return statusCode === 404 || statusCode === 409 || statusCode === 412;
}

const oneOf = (ids: readonly string[]): string => ids[randomInt(ids.length)] ?? '';

async function install(operator: OperatorClient, { appIds, workspaceIds }: Playground): Promise<void> {
  const { developerId, id } = await operator.apps.get(oneOf(appIds));
  await operator.installations.create({ appId: id, workspaceId: oneOf(workspaceIds), userId: developerId });
}

async function installed(operator: OperatorClient, { appIds }: Playground): Promise<string> {
  const { items } = await operator.installations.list({ appId: oneOf(appIds) }).page();
  return items.length === 0 ? 'installation_00000000000000000000000000' : oneOf(items.map(({ id }) => id));
}

const rename = (operator: OperatorClient, { appIds }: Playground) =>
  operator.apps.update(oneOf(appIds), { name: `Renamed ${randomUUID()}` });

/** The frequent ones more than once. */
const changes: ((operator: OperatorClient, playground: Playground) => Promise<unknown>)[] = [
  install,
  install,
  install,
  rename,
  rename,
  async (operator, playground) => operator.installations.disable(await installed(operator, playground)),
  async (operator, playground) => operator.installations.enable(await installed(operator, playground)),
  async (operator, playground) => operator.installations.delete(await installed(operator, playground)),
  async (operator, { workspaceIds }) => operator.workspaces.deleteInstallations(oneOf(workspaceIds)),
  async (operator, { appIds }) => operator.apps.submit(oneOf(appIds)),
  async (operator, { appIds }) => {
    const { id, etag: revision } = await operator.apps.get(oneOf(appIds));
    return operator.apps.approve(id, { revision });
  },
  async (operator, { appIds }) =>
    operator.apps.revoke(oneOf(appIds), { message: 'It misleads.', disableInstallations: true }),
  async (operator, { appIds }) => operator.apps.delete(oneOf(appIds), { force: true }),
  async (operator, { appIds }) => operator.apps.restore(oneOf(appIds)),
  async (operator, { appIds }) => operator.apps.restore(oneOf(appIds)),
  async (operator, { appIds, developerIds }) =>
    operator.apps.transfer(oneOf(appIds), { developerId: oneOf(developerIds) }),
  async (operator, { developerIds }) => operator.developers.suspend(oneOf(developerIds), { reason: 'Spam.' }),
  async (operator, { developerIds }) => operator.developers.unsuspend(oneOf(developerIds)),
  async (operator, { developerIds }) => operator.developers.unsuspend(oneOf(developerIds)),
  async (operator) => operator.settings.update({ changesToApproved: 'hold' }, { existing: 'hold' }),
  async (operator) => operator.settings.update({ changesToApproved: 'live' }),
];
