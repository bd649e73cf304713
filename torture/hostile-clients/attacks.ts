import { setTimeout as sleep } from 'node:timers/promises';
import { promise } from '../frame/torture.ts';
import { rawRequest } from '../raw-http/raw-request.ts';
import { HostileSocket } from './hostile-socket.ts';
import { smugglingAttempts } from './smuggling.ts';

/** Whom the attacks are at, and the limits it was started with. */
export interface Target {
  port: number;
  appId: string;
  /** With more installations than the buffers of two sockets hold. */
  longAppId: string;
  developer: string;
  platform: string;
  headersMs: number;
  requestMs: number;
  stallMs: number;
  streamsMax: number;
  /** What is given beyond a limit: it is looked at now and then, and the machine has other work. */
  graceMs: number;
}

const openedAtOnce = 100;
/** For what comes at once on a machine without other work. */
const patienceMs = 60_000;

/** Headers that come a byte a second: answered 408, or closed. */
export async function slowHeaders(target: Target, count: number): Promise<string> {
  const header = readRequest(target, target.appId).toString('latin1');
  return slowly(target, { count, first: header.slice(0, 20), rest: header.slice(20), limitMs: target.headersMs });
}

/** A good header, and a body that comes a byte a second. */
export async function slowBodies(target: Target, count: number): Promise<string> {
  const { port, appId, developer } = target;
  const headers = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${developer}`,
    'content-type': 'application/json',
    'content-length': '60000',
  };
  const first = rawRequest({ method: 'PATCH', path: `/developer/apps/v1/${appId}`, headers }).toString('latin1');
  return slowly(target, { count, first, rest: `{"name":"${'x'.repeat(60_000)}`, limitMs: target.requestMs });
}

/** Connections that never say anything. */
export async function idle(target: Target, count: number): Promise<string> {
  return slowly(target, { count, first: '', rest: '', limitMs: target.headersMs });
}

interface Slowness {
  count: number;
  first: string;
  rest: string;
  limitMs: number;
}

async function slowly({ port, graceMs }: Target, { count, first, rest, limitMs }: Slowness): Promise<string> {
  const rudes = await openMany(port, count);
  for (const rude of rudes) if (first !== '') rude.send(first);
  const deadline = performance.now() + limitMs + graceMs;
  for (let at = 0; rudes.some(isOpen) && performance.now() < deadline; at += 1) {
    for (const rude of rudes) if (isOpen(rude) && at < rest.length) rude.send(rest.charAt(at));
    await sleep(1_000);
  }
  const open = rudes.filter(isOpen).length;
  promise(open === 0, `${open} of ${count} slow connections were still open after ${limitMs + graceMs} ms`);
  const told = rudes.filter(({ statuses }) => statuses.length === 1 && statuses[0] === 408).length;
  const others = rudes.flatMap(({ statuses }) => statuses).filter((status) => status !== 408 && status !== 503);
  promise(others.length === 0, `slow requests were answered ${[...new Set(others)]}`);
  const livedMs = Math.max(...rudes.map((rude) => rude.livedMs ?? 0));
  return `${count}: ${told} told 408, none lived longer than ${(livedMs / 1_000).toFixed(1)} s`;
}

/** Who asks for a long list and does not read it: some are served until they are cut, the others get a 503. */
export async function slowReaders(target: Target, count: number): Promise<string> {
  const rudes = await openMany(target.port, count);
  for (const rude of rudes) {
    rude.send(readRequest(target, target.longAppId));
    rude.socket.once('data', () => rude.socket.pause());
  }
  await sleep(2 * target.stallMs + target.graceMs);
  const refused = rudes.filter(({ statuses }) => statuses[0] === 503).length;
  const streamed = rudes.filter(({ bytes, statuses }) => bytes > 0 && statuses.length === 0);
  promise(streamed.length <= target.streamsMax, `${streamed.length} long lists were sent at one time`);
  promise(
    streamed.length + refused === count,
    `of ${count} slow readers ${count - streamed.length - refused} got nothing`,
  );
  for (const { socket } of streamed) socket.resume();
  await Promise.all(streamed.map((rude) => rude.ended(patienceMs)));
  const whole = streamed.filter(({ wasReset }) => !wasReset).length;
  promise(whole === 0, `${whole} of ${streamed.length} readers that took nothing were not cut`);
  for (const rude of rudes) rude.destroy();
  return `${count}: ${streamed.length} cut, ${refused} refused by 503`;
}

/** Many requests in one piece: each is answered, in its turn. */
export async function pipelining(
  target: Target,
  { clients, length }: { clients: number; length: number },
): Promise<string> {
  const rudes = await openMany(target.port, clients);
  const request = readRequest(target, target.appId);
  for (const rude of rudes) rude.send(Buffer.concat(Array.from({ length }, () => request)));
  const count = () => rudes.reduce((sum, { answers }) => sum + answers.length, 0);
  // As long as it takes, while more comes.
  for (let before = -1; before < count() && rudes.some((rude) => isOpen(rude) && rude.answers.length < length); ) {
    before = count();
    await sleep(target.graceMs);
  }
  const answers = rudes.flatMap(({ answers: list }) => list);
  const odd = answers.filter(({ status }) => status !== 200 && status !== 503).map(({ status }) => status);
  promise(odd.length === 0, `pipelined requests were answered ${[...new Set(odd)]}`);
  promise(
    answers.length === clients * length,
    `${answers.length} of ${clients * length} pipelined requests were answered`,
  );
  for (const rude of rudes) rude.destroy();
  const refused = answers.filter(({ status }) => status === 503).length;
  return `${answers.length} answered in order, ${refused} of them by 503`;
}

/** Who pipelines and reads nothing of the answers: they are not kept for it without end. */
export async function deafPipelining(target: Target, count: number): Promise<string> {
  const rudes = await openMany(target.port, count);
  const headers = { host: `127.0.0.1:${target.port}` };
  const request = rawRequest({ method: 'GET', path: '/openapi.json', headers });
  const many = Buffer.concat(Array.from({ length: 3_000 }, () => request));
  for (const rude of rudes) {
    rude.socket.pause();
    rude.send(many);
  }
  await sleep(2 * target.stallMs + target.graceMs);
  for (const { socket } of rudes) socket.resume();
  await Promise.all(rudes.map((rude) => rude.ended(target.graceMs)));
  const open = rudes.filter(isOpen).length;
  for (const rude of rudes) rude.destroy();
  promise(open === 0, `${open} of ${count} that pipelined and read nothing were not cut`);
  return `${count} cut`;
}

/** Connections that end on one side, or in the middle, or with a reset. */
export async function halfClosed(target: Target, count: number): Promise<string> {
  const request = readRequest(target, target.appId);
  const kinds: [string, (rude: HostileSocket) => void, (statuses: number[]) => boolean][] = [
    ['a request and an end', (rude) => rude.socket.end(request), ([status]) => status === 200 || status === 503],
    [
      'half a request and an end',
      (rude) => rude.socket.end(request.subarray(0, 40)),
      ([status]) => !status || status === 400,
    ],
    ['an end', (rude) => rude.socket.end(), ([status]) => !status || status === 400],
  ];
  for (const [what, send, isGood] of kinds) {
    const rudes = await openMany(target.port, count);
    for (const rude of rudes) send(rude);
    await Promise.all(rudes.map((rude) => rude.ended(patienceMs)));
    const open = rudes.filter(isOpen).length;
    promise(open === 0, `after ${what}, ${open} of ${count} connections were open`);
    const odd = rudes.filter(({ statuses }) => !isGood(statuses)).map(({ statuses }) => statuses);
    promise(odd.length === 0, `${what} was answered ${JSON.stringify(odd.slice(0, 5))}`);
    for (const rude of rudes) rude.destroy();
  }
  for (const rude of await openMany(target.port, count)) {
    rude.send(request);
    rude.socket.resetAndDestroy();
  }
  return `${4 * count}`;
}

/** To the number of attempts; what they have changed is for the caller to see. */
export async function smuggling(target: Target): Promise<string> {
  const { port, appId, developer } = target;
  const attempts = smugglingAttempts({
    host: `127.0.0.1:${port}`,
    path: `/developer/apps/v1/${appId}`,
    token: developer,
  });
  for (const { name, bytes, must } of attempts) {
    const rude = await HostileSocket.open(port);
    rude.send(bytes);
    await rude.ended(patienceMs);
    const { statuses } = rude;
    promise(!isOpen(rude), `${name}: answered ${statuses}, and the connection was kept`);
    const isRefused =
      statuses.length === 0 || (statuses.length === 1 && [400, 413, 431].includes(statuses[0] as number));
    const isOne = statuses.length === 1 && (statuses[0] as number) < 500;
    const isGood = { refused: isRefused, one: isOne, either: isRefused || isOne }[must];
    promise(isGood, `${name}: answered ${statuses.join(', ')}, and should be ${must}`);
    rude.destroy();
  }
  return `${attempts.length} attempts`;
}

function readRequest({ port, platform }: Target, appId: string): Buffer {
  const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${platform}` };
  return rawRequest({ method: 'GET', path: `/platform/apps/v1/${appId}`, headers });
}

/** A few at a time: a listener has room for so many that wait to be accepted. */
async function openMany(port: number, count: number): Promise<HostileSocket[]> {
  const rudes: HostileSocket[] = [];
  while (rudes.length < count) {
    const few = Math.min(openedAtOnce, count - rudes.length);
    rudes.push(...(await Promise.all(Array.from({ length: few }, () => HostileSocket.open(port)))));
  }
  return rudes;
}

function isOpen({ closedAt }: HostileSocket): boolean {
  return closedAt === undefined;
}
