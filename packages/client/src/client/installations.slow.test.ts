import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ScriptedServer } from '../testing/scripted-server.ts';

test('only the current installation is in memory', async (t) => {
  const app = JSON.stringify({ id: 'app_x', installations: [] });
  const installation = JSON.stringify({ id: `installation_${'x'.repeat(26)}`, userId: `user_${'x'.repeat(100)}` });
  const thousand = Array.from({ length: 1_000 }, () => installation).join();
  const { baseUrl } = await ScriptedServer.start(t, async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(app.slice(0, -2));
    for (let at = 0; at < 300; at += 1) {
      if (!response.write(at === 0 ? thousand : `,${thousand}`)) await once(response, 'drain');
    }
    response.end(']}');
  });
  const main = new URL('../index.ts', import.meta.url).href;
  const code = `import { AppRegistryClient } from '${main}';
    const { platform } = new AppRegistryClient({ token: 'x', baseUrl: '${baseUrl}' });
    let received = 0;
    for await (const _ of platform.apps.installations('app_x')) received += 1;
    console.log(received);`;
  // Less than a third of them would fit.
  const options = ['--max-old-space-size=24', '--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  assert.equal(stdout, '300000\n');
});
