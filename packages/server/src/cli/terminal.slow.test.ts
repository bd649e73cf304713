import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runOnTerminal } from '../../test/programs/terminal.ts';
import { ServedOperatorApi } from '../../test/registry/served-operator-api.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

test('on a terminal a prompt reads a token, which is not shown, and a question reads a line or the end of the input', async (t) => {
  const { data, url, stop } = await serve();
  const folder = await mkdtemp(join(tmpdir(), 'terminal-'));
  t.after(() => Promise.all([stop(), rm(folder, { recursive: true })]));
  const { token } = await data.newToken('operator', { name: 'Grace' });
  const run = (args: string[], prompt: string, input: string) =>
    runOnTerminal([process.execPath, main, ...args, '--url', url], {
      env: { XDG_CONFIG_HOME: folder },
      prompt,
      input: () => input,
    });
  const login = await run(['login'], `Operator token for ${url}: `, `${token}\r`);
  assert.equal(login.status, 0, login.screen);
  assert.ok(!login.screen.includes(token), login.screen);
  assert.match(login.screen, /actorName +Grace/);

  const { id } = await data.newApp({ status: 'AWAITING_REVIEW' });
  const approve = (input: string) => run(['app', 'approve', id], '[y/N] ', input);
  const ended = await approve('\u0004');
  assert.equal(ended.status, 1, ended.screen);
  assert.match(ended.screen, /^app-registry: Revision 1 of \w+ was not confirmed\. Nothing was changed\.$/m);
  assert.equal((await approve('y\n')).status, 0);
});

async function serve() {
  const served = await ServedOperatorApi.start();
  return { data: served.data, url: served.url, stop: () => served.stop() };
}
