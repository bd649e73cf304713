import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { linkedLauncher, Program } from '@appregistrar/testkit/programs/program';
import { freePort } from '@appregistrar/testkit/system/free-port';

test('on a database, the changes of other commands are forwarded until a signal', async (context) => {
  const cli = await CommandLine.open(sqlite);
  const port = await freePort();
  const server = createServer((_request, response) => response.writeHead(204).end()).listen(port);
  const to = ['--forward-to', `http://localhost:${port}/`, '--database-url', cli.databaseUrl];
  const program = new Program([linkedLauncher, 'webhook', 'listen', ...to]);
  context.after(async () => {
    program.kill('SIGKILL');
    await program.ended;
    server.close();
    server.closeAllConnections();
    await cli.close();
  });
  await program.until((stdout) => /whsec_\S+/.exec(stdout));
  await cli.done('developer', 'create', '--email', 'ada@example.com');
  await program.until((stdout) => / {2}developer\.created {2}.* {2}204\n/.exec(stdout));
  program.kill('SIGINT');
  const { status, signal, stderr } = await program.ended;
  assert.deepEqual({ status, signal, stderr }, { status: 0, signal: null, stderr: '' });
});
