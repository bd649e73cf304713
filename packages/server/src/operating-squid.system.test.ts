import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { adaptBlock, OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { systemPath } from '@appregistrar/testkit/programs/system-programs';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { Receiver } from './features/webhooks/delivery/receiver.ts';

const section = (await OperatingPage.read()).section('Send through a proxy');
const [configuration = ''] = section.blocks('squid');
const startMsMax = 60_000;
const refused = 'The proxy does not connect to this address (status 403).';

let hook: HookReceiver;
before(async () => {
  hook = await HookReceiver.start({ tls: true });
});
after(() => hook.close());

test('Squid with the rules of the page refuses a name that leads to a private address', async () => {
  await withSquid(configuration, async (proxy) => {
    for (const port of [443, 8443]) assert.equal(await textOf(proxy, `https://localhost:${port}/`), refused);
  });
});

test('Squid with these rules connects to other receivers at the listed ports alone, and the registry checks their certificate', async () => {
  // As if this machine were public.
  const rules = adaptBlock(configuration, [
    [' 127.0.0.0/8', ''],
    [' ::1/128', ''],
    ['443 8443', String(hook.port)],
  ]);
  await withSquid(rules, async (proxy) => {
    const text = await textOf(proxy, `https://localhost:${hook.port}/`);
    assert.equal(text, 'The connection failed: DEPTH_ZERO_SELF_SIGNED_CERT.');
    assert.equal(await textOf(proxy, 'https://localhost/'), refused);
  });
});

/** Why a delivery to this URL fails. */
async function textOf(proxy: URL, url: string): Promise<string | undefined> {
  const settings = { allowPrivate: false, timeoutMs: 20_000, connectionsMax: 2, userAgent: 'app-registry' };
  const receiver = new Receiver({ ...settings, now: Date.now, proxy });
  const delivery = { id: 'delivery_1', eventId: 'event_1', dueAt: 0 };
  const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
  const about = { webhookId: 'webhook_1', queue: 'app_1', attempts: 0, id: 'event_1', body: '{}' };
  const due = { ...about, url, secrets, deliveries: [delivery] };
  const result = await receiver.deliver(due, new AbortController().signal);
  receiver.close();
  return result?.text;
}

async function withSquid(rules: string, work: (proxy: URL) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'squid-'));
  const port = await freePort();
  const own = [`http_port 127.0.0.1:${port}`, `pid_filename ${folder}/pid`, 'access_log none', 'cache_log /dev/null'];
  const rest = [
    'cache deny all',
    `coredump_dir ${folder}`,
    'acl localnet src 127.0.0.0/8',
    rules,
    'http_access deny all',
  ];
  const file = join(folder, 'squid.conf');
  await writeFile(file, `${[...own, ...rest].join('\n')}\n`);
  const squid = new StartedProcess(['squid', '-N', '-f', file], { env: { PATH: systemPath }, cwd: folder });
  try {
    await untilListening(squid, port);
    await work(new URL(`http://127.0.0.1:${port}`));
  } finally {
    await squid.end('SIGKILL');
    await rm(folder, { recursive: true });
  }
}

async function untilListening(squid: StartedProcess, port: number): Promise<void> {
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  for (const deadline = performance.now() + startMsMax; !(await isOpen()); await sleep(50)) {
    if (squid.hasEnded || performance.now() > deadline) throw new Error(`Squid does not start: ${squid.output}`);
  }
}
