import { importText } from '@appregistrar/testkit/registry/export-text';
import { installationOf } from '@appregistrar/testkit/registry/import-file';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';

/** Imports this many installations of an app. */
export async function fillApp(databaseUrl: string, appId: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, () => `${JSON.stringify(installationOf(appId))}\n`);
  await withRegistry(databaseUrl, (registry) => importText(registry, lines.join('')));
}
