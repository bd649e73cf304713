// Writes docs/openapi.json and docs/operator-openapi.json: the descriptions that the service publishes, for an
// example deployment.
import { writeFile } from 'node:fs/promises';
import { readConfig } from '../packages/server/src/config/config.ts';
import { operatorDocument } from '../packages/server/src/http/operator/operator-document.ts';
import { operatorOperations } from '../packages/server/src/http/operator/operator-routes.ts';
import { publicDocument } from '../packages/server/src/http/public/public-document.ts';
import { openRegistry } from '../packages/server/src/registry/registry.ts';
import { openStorage } from '../packages/server/src/storage/open-storage.ts';

const config = readConfig({});
const storage = await openStorage('sqlite::memory:');
const operations = operatorOperations(await openRegistry(storage, config));
await storage.close();

await write(
  'openapi.json',
  publicDocument({ baseUrl: 'https://apps.example.com', devBaseUrl: 'https://apps.dev.example.com' }),
);
await write('operator-openapi.json', operatorDocument(config, operations));

async function write(file: string, document: object): Promise<void> {
  await writeFile(new URL(`../docs/${file}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
}
