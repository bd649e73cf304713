import { createToken } from '@appregistrar/testkit/calls/access';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import { commandLine } from '../../packages/server/src/kernel/registry.ts';

/** A developer, and a token of each kind. */
export interface Credentials {
  developerId: string;
  developer: string;
  platform: string;
  operator: string;
}

/** Creates a developer and tokens in a database, which may be empty. */
export function createCredentials(databaseUrl: string): Promise<Credentials> {
  return withRegistry(databaseUrl, async (registry) => {
    const { id: developerId } = await createDeveloper(registry, commandLine, { email: 'ada@example.com' });
    const [developer, platform, operator] = [
      await createToken(registry, commandLine, { kind: 'developer', developerId }),
      await createToken(registry, commandLine, { kind: 'platform' }),
      await createToken(registry, commandLine, { kind: 'operator', scopes: ['admin'] }),
    ].map(({ token }) => token) as [string, string, string];
    return { developerId, developer, platform, operator };
  });
}
