// Writes docs/openapi.json: the description that the service publishes, for an example deployment.
import { writeFile } from 'node:fs/promises';
import { publicDocument } from '../packages/server/src/http/public/public-document.ts';

const document = publicDocument({
  baseUrl: 'https://apps.example.com',
  devBaseUrl: 'https://apps.dev.example.com',
});
await writeFile(new URL('../docs/openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
