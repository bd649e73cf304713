import { readConfig } from '../../packages/server/src/config/config.ts';
import { createDeveloper } from '../../packages/server/src/registry/developers/create-developer.ts';
import { commandLine, openRegistry, type Registry } from '../../packages/server/src/registry/registry.ts';
import { issueToken } from '../../packages/server/src/registry/tokens/issue-token.ts';
import { openStorage } from '../../packages/server/src/storage/open-storage.ts';

/** A developer, and a token of each kind. */
export interface Credentials {
  developerId: string;
  developer: string;
  platform: string;
  operator: string;
}

/** Makes the schema of a database, a developer and tokens. Leaves the database closed. */
export function makeCredentials(databaseUrl: string): Promise<Credentials> {
  return withRegistry(databaseUrl, async (registry) => {
    const { userId: developerId } = await createDeveloper(registry, commandLine, { email: 'ada@example.com' });
    const [developer, platform, operator] = [
      await issueToken(registry, commandLine, { kind: 'developer', developerId }),
      await issueToken(registry, commandLine, { kind: 'platform' }),
      await issueToken(registry, commandLine, { kind: 'operator', scopes: ['admin'] }),
    ].map(({ token }) => token) as [string, string, string];
    return { developerId, developer, platform, operator };
  });
}

/** Works on a database beside the service, and closes it again. */
export async function withRegistry<Result>(
  databaseUrl: string,
  work: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(databaseUrl);
  try {
    return await work(await openRegistry(storage, readConfig({})));
  } finally {
    await storage.close();
  }
}
