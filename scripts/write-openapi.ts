// Writes docs/openapi.json and docs/operator-openapi.json: the published OpenAPI documents of an example deployment.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../packages/server/src/config/config.ts';
import { operatorDocument } from '../packages/server/src/http/operator/operator-document.ts';
import { publicDocument } from '../packages/server/src/http/public/public-document.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));

await write(
  'openapi.json',
  publicDocument({ baseUrl: 'https://apps.example.com', devBaseUrl: 'https://apps.dev.example.com' }),
);
await write('operator-openapi.json', operatorDocument(readConfig({})));

async function write(file: string, document: object): Promise<void> {
  await writeFile(`${repository}/docs/${file}`, formatted(JSON.stringify(document)));
}

/** With each object on one line that fits there, and little indentation: spaces and lines of references were most of the file. */
function formatted(input: string): string {
  const options = { cwd: repository, input, encoding: 'utf8', maxBuffer: 10_000_000 } as const;
  return execFileSync(
    'node_modules/.bin/biome',
    ['format', '--indent-width=1', '--line-width=160', '--stdin-file-path', 'document.json'],
    options,
  );
}
