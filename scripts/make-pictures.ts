// Draws docs/images/session.svg, a first session with `npm run dev`, from a real run.
import { writeFile } from 'node:fs/promises';
import { withDevServer } from './dev-server.ts';

interface Line {
  kind: 'command' | 'response';
  text: string;
}

const picture = new URL('../docs/images/session.svg', import.meta.url);
const columns = 96;

await withDevServer({}, async ({ baseUrl, developerToken, platformToken, apps: [app] }) => {
  const update = `${baseUrl}/developer/apps/v1/${app?.id}`;
  const lines = [
    ...(await patch(update, developerToken, { listingInfo: { shortDescription: 'Invoices and ledgers, in step.' } })),
    ...(await patch(update, developerToken, { name: null, listingInfo: { backgroundColor: 'blue' } })),
    ...(await get(`${baseUrl}/platform/apps/v1/${app?.id}`, platformToken)),
  ];
  await writeFile(picture, draw(lines));
});

async function patch(url: string, token: string, update: object): Promise<Line[]> {
  const body = JSON.stringify(update);
  const response = await fetch(url, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  return show([`curl -X PATCH $BASE/developer/apps/v1/$APP -H "$DEVELOPER" -H "$JSON" \\`, `  -d '${body}'`], response);
}

async function get(url: string, token: string): Promise<Line[]> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return show(['curl $BASE/platform/apps/v1/$APP -H "$PLATFORM"'], response);
}

async function show([first = '', ...more]: string[], response: Response): Promise<Line[]> {
  const body = JSON.stringify(await response.json(), null, 2).split('\n');
  const shown = body.length > 24 ? [...body.slice(0, 22), '  …'] : body;
  return [
    { kind: 'command', text: `$ ${first}` },
    ...more.map((text) => ({ kind: 'command', text: `  ${text}` }) as const),
    { kind: 'response', text: `HTTP/1.1 ${response.status} ${response.statusText}` },
    ...shown.map((text) => ({ kind: 'response', text }) as const),
    { kind: 'response', text: '' },
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
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13.5" role="img" aria-label="Both operations on the development server">`,
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
