// Writes docs/openapi.json and docs/operator-openapi.json: the published OpenAPI documents of an example deployment.
import { writeFile } from 'node:fs/promises';
import { readConfig } from '../packages/server/src/config/config.ts';
import { operatorDocument } from '../packages/server/src/http/operator/operator-document.ts';
import { publicDocument } from '../packages/server/src/http/public/public-document.ts';

await write(
  'openapi.json',
  publicDocument({ baseUrl: 'https://apps.example.com', devBaseUrl: 'https://apps.dev.example.com' }),
);
await write('operator-openapi.json', operatorDocument(readConfig({})));

async function write(file: string, document: object): Promise<void> {
  await writeFile(new URL(`../docs/${file}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
}
