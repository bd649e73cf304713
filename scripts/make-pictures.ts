// Draws docs/images/session.svg, a first session from the source to the first webhook, from a real run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { environment } from '../packages/server/src/config/env.ts';
import { launcher, withDevServer } from './dev-server.ts';

interface Line {
  kind: 'command' | 'response';
  text: string;
}

const picture = new URL('../docs/images/session.svg', import.meta.url);
const columns = 112;

/** What a newcomer types, and what it prints: from the source to the first webhook. */
await withDevServer({}, async ({ baseUrl, developerToken, databaseUrl, apps: [app] }) => {
  const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const listening = spawn(
    process.execPath,
    [launcher, 'webhook', 'listen', '--forward-to', `http://127.0.0.1:${port}/`],
    {
      env: { ...environment, DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_PRIVATE: '1', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const output = createInterface({ input: listening.stdout })[Symbol.asyncIterator]();
  const first = await output.next();
  const update = await patch(`${baseUrl}/developer/apps/v1/${app?.id}`, developerToken);
  const received = await output.next();
  listening.kill('SIGINT');
  receiver.close();
  await writeFile(
    picture,
    draw([
      ...command('npm ci && npm run dev'),
      ...response(`  app-registry        ${baseUrl}`, '  console             …', '  developer token     …', ''),
      ...command('npx @appregistrar/server webhook listen --forward-to http://localhost:3000/webhooks &'),
      ...response(
        String(first.value)
          .replace(/whsec_\S+/, 'whsec_…')
          .replace(/http:\S+?(?=\.\s)/, 'http://localhost:3000/webhooks'),
        '',
      ),
      ...update,
      ...response(String(received.value)),
    ]),
  );
});

function command(...texts: string[]): Line[] {
  return texts.map((text, at) => ({ kind: 'command', text: `${at === 0 ? '$' : ' '} ${text}` }));
}

function response(...texts: string[]): Line[] {
  return texts.map((text) => ({ kind: 'response', text }));
}

async function patch(url: string, token: string): Promise<Line[]> {
  const body = JSON.stringify({ listingInfo: { shortDescription: 'Invoices and ledgers, in step.' } });
  const sent = await fetch(url, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  return [
    ...command(
      'curl -i -X PATCH $BASE_URL/developer/apps/v1/$APP -H "Authorization: Bearer $DEVELOPER_TOKEN" \\',
      `  -d '${body}'`,
    ),
    ...response(`HTTP/1.1 ${sent.status} ${sent.statusText}`, JSON.stringify(await sent.json()), ''),
  ];
}

function draw(lines: Line[]): string {
  const lineHeight = 19;
  const height = lines.length * lineHeight + 40;
  const width = columns * 8.1 + 40;
  const rows = lines.map(({ kind, text }, index) => {
    const y = 34 + index * lineHeight;
    return `  <text class="${kind}" x="20" y="${y}" xml:space="preserve">${escapeXml(fit(text))}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13.5" role="img" aria-label="A terminal: the development server starts, an app is updated, and a webhook receives the event">`,
    '  <style>.command { fill: #ffd43b; } .response { fill: #dee2e6; }</style>',
    `  <rect width="${width}" height="${height}" rx="12" fill="#1a1b1e"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

function fit(text: string): string {
  return text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
