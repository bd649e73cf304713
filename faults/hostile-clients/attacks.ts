import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getAppRequest, requestBytes, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import { guarantee } from '../harness/fault-injection.ts';
import { HostileSocket } from './hostile-socket.ts';
import { smugglingAttempts } from './smuggling.ts';

/** The service under attack, and its limits. */
export interface Target {
  port: number;
  operatorPort: number;
  appId: string;
  /** Its list of installations exceeds the buffers of two sockets. */
  longAppId: string;
  developer: string;
  platform: string;
  headersMs: number;
  requestMs: number;
  stallMs: number;
  streamsMax: number;
  /** The tolerance beyond a limit: the service checks limits periodically, and the machine has other work. */
  graceMs: number;
}

const connectingMax = 100;
/** For events that are immediate on an idle machine. */
const waitMsMax = 60_000;

/** Sends headers at one byte per second. Expects 408 or a closed connection. */
export async function slowHeaders(target: Target, count: number): Promise<string> {
  const header = readRequest(target, target.appId).toString('latin1');
  return slowly(target, { count, first: header.slice(0, 20), rest: header.slice(20), limitMs: target.headersMs });
}

/** Sends a body at one byte per second. Expects 408 or a closed connection. */
export async function slowBodies(target: Target, count: number): Promise<string> {
  const { port, appId, developer } = target;
  const headers = { host: `127.0.0.1:${port}`, 'content-length': '60000' };
  const head = { ...updateAppRequest(developer, { id: appId, update: {}, headers }), body: undefined };
  const rest = `{"name":"${'x'.repeat(60_000)}`;
  return slowly(target, { count, first: requestBytes(head).toString('latin1'), rest, limitMs: target.requestMs });
}

/** Opens connections, and sends nothing. */
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
  const clients = await openMany(port, count);
  for (const client of clients) if (first !== '') client.send(first);
  const deadline = performance.now() + limitMs + graceMs;
  for (let at = 0; clients.some(isOpen) && performance.now() < deadline; at += 1) {
    for (const client of clients) if (isOpen(client) && at < rest.length) client.send(rest.charAt(at));
    await sleep(1_000);
  }
  const open = clients.filter(isOpen).length;
  guarantee(open === 0, `${open} of ${count} slow connections were still open after ${limitMs + graceMs} ms`);
  const timedOut = clients.filter(({ statuses }) => statuses.length === 1 && statuses[0] === 408).length;
  const others = clients.flatMap(({ statuses }) => statuses).filter((status) => status !== 408 && status !== 503);
  guarantee(others.length === 0, `slow requests received ${[...new Set(others)]}`);
  const livedMs = Math.max(...clients.map((client) => client.lifetimeMs ?? 0));
  return `${count}: ${timedOut} received 408, none stayed open longer than ${(livedMs / 1_000).toFixed(1)} s`;
}

/** Requests a long list, and does not read it. Expects some streams, each reset later, and 503 for all others. */
export async function slowReaders(target: Target, count: number): Promise<string> {
  const clients = await openMany(target.port, count);
  for (const client of clients) {
    client.send(readRequest(target, target.longAppId));
    client.socket.once('data', () => client.socket.pause());
  }
  await sleep(2 * target.stallMs + target.graceMs);
  const refused = clients.filter(({ statuses }) => statuses[0] === 503).length;
  const streamed = clients.filter(({ bytes, statuses }) => bytes > 0 && statuses.length === 0);
  guarantee(streamed.length <= target.streamsMax, `${streamed.length} long lists were sent at the same time`);
  guarantee(
    streamed.length + refused === count,
    `${count - streamed.length - refused} of ${count} slow readers received nothing`,
  );
  for (const { socket } of streamed) socket.resume();
  await Promise.all(streamed.map((client) => client.ended(waitMsMax)));
  const open = streamed.filter(({ wasReset }) => !wasReset).length;
  guarantee(open === 0, `${open} of ${streamed.length} readers that read nothing were not reset`);
  for (const client of clients) client.destroy();
  return `${count}: ${streamed.length} reset, ${refused} refused with 503`;
}

/** Pipelines many requests in one write. Expects a response to each, in order. */
export async function pipelining(
  target: Target,
  { count, length }: { count: number; length: number },
): Promise<string> {
  const clients = await openMany(target.port, count);
  const request = readRequest(target, target.appId);
  for (const client of clients) client.send(Buffer.concat(Array.from({ length }, () => request)));
  const received = () => clients.reduce((sum, { responses }) => sum + responses.length, 0);
  // Waits for as long as more responses arrive.
  for (
    let before = -1;
    before < received() && clients.some((client) => isOpen(client) && client.responses.length < length);
  ) {
    before = received();
    await sleep(target.graceMs);
  }
  const statuses = clients.flatMap((client) => client.statuses);
  const unexpected = statuses.filter((status) => status !== 200 && status !== 503);
  guarantee(unexpected.length === 0, `pipelined requests received ${[...new Set(unexpected)]}`);
  guarantee(
    statuses.length === count * length,
    `${statuses.length} of ${count * length} pipelined requests have a response`,
  );
  for (const client of clients) client.destroy();
  const refused = statuses.filter((status) => status === 503).length;
  return `${statuses.length} responses in order, ${refused} of them 503`;
}

/** Pipelines, and reads no response. Expects a reset, since the service must not buffer responses forever. */
export async function unreadPipelining(target: Target, count: number): Promise<string> {
  const clients = await openMany(target.port, count);
  const headers = { host: `127.0.0.1:${target.port}` };
  const request = requestBytes({ method: 'GET', path: '/openapi.json', headers });
  // Their responses are many times what the buffers of a connection hold. More of them would test the parser instead.
  const many = Buffer.concat(Array.from({ length: 500 }, () => request));
  for (const client of clients) {
    client.socket.pause();
    client.send(many);
  }
  await sleep(2 * target.stallMs + target.graceMs);
  for (const { socket } of clients) socket.resume();
  await Promise.all(clients.map((client) => client.ended(target.graceMs)));
  const open = clients.filter(isOpen).length;
  for (const client of clients) client.destroy();
  guarantee(open === 0, `${open} of ${count} clients that pipelined and read nothing are still connected`);
  return `${count} disconnected`;
}

/** Pipelines without a pause, and reads all responses. The caller measures the memory that this takes. */
export async function endlessPipelining(
  { port }: Target,
  { count, ms }: { count: number; ms: number },
): Promise<string> {
  const requests = Buffer.from('GET /docs/x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000));
  const sockets = Array.from({ length: count }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume(),
  );
  for (const socket of sockets) {
    const send = () => {
      while (socket.writable && socket.write(requests));
    };
    socket.on('connect', send).on('drain', send);
  }
  await sleep(ms);
  const megabytes = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0) / 1e6;
  for (const socket of sockets) socket.destroy();
  return `${Math.round(megabytes)} MB of responses`;
}

/** Pipelines, and reads a few bytes again and again. Expects to be disconnected. */
export async function trickle({ port, stallMs, graceMs }: Target, count: number): Promise<string> {
  let readsOn = false;
  const onread = { buffer: Buffer.alloc(stallMs / 20), callback: () => readsOn };
  const open = new Set(Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', onread })));
  for (const socket of open) {
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100));
  }
  for (const endsAt = performance.now() + 3 * stallMs + graceMs; performance.now() < endsAt; ) {
    await sleep(stallMs / 4);
    for (const socket of open) socket.resume();
  }
  // Behind what the system still holds for it, a client finds the reset.
  readsOn = true;
  for (const socket of open) socket.resume();
  for (const endsAt = performance.now() + graceMs; open.size > 0 && performance.now() < endsAt; ) await sleep(20);
  for (const socket of open) socket.destroy();
  guarantee(open.size === 0, `${open.size} of ${count} clients that hardly read are still connected`);
  return `${count} disconnected`;
}

/** Holds more connections to the operator listener than it accepts, and sends nothing. Expects others to be served. */
export async function idleOperators({ operatorPort }: Target, count: number): Promise<string> {
  const clients = await openMany(operatorPort, count);
  const { status } = await send(`http://127.0.0.1:${operatorPort}`, { method: 'GET', path: '/livez' });
  guarantee(status === 200, `with ${count} idle connections, /livez responds with ${status}`);
  for (const client of clients) client.destroy();
  return String(count);
}

/** Closes the sending side after a request, within one or before any, or resets the connection. */
export async function halfClosed(target: Target, count: number): Promise<string> {
  const request = readRequest(target, target.appId);
  const kinds: [string, (client: HostileSocket) => void, (statuses: number[]) => boolean][] = [
    ['a request and FIN', (client) => client.socket.end(request), ([status]) => status === 200 || status === 503],
    [
      'half a request and FIN',
      (client) => client.socket.end(request.subarray(0, 40)),
      ([status]) => !status || status === 400,
    ],
    ['FIN', (client) => client.socket.end(), ([status]) => !status || status === 400],
  ];
  for (const [what, send, isExpected] of kinds) {
    const clients = await openMany(target.port, count);
    for (const client of clients) send(client);
    await Promise.all(clients.map((client) => client.ended(waitMsMax)));
    const open = clients.filter(isOpen).length;
    guarantee(open === 0, `after ${what}, ${open} of ${count} connections are still open`);
    const unexpected = clients.filter(({ statuses }) => !isExpected(statuses)).map(({ statuses }) => statuses);
    guarantee(unexpected.length === 0, `${what} received ${JSON.stringify(unexpected.slice(0, 5))}`);
    for (const client of clients) client.destroy();
  }
  for (const client of await openMany(target.port, count)) {
    client.send(request);
    client.socket.resetAndDestroy();
  }
  return `${4 * count}`;
}

/** Returns the number of attempts. The caller checks what they changed. */
export async function smuggling(target: Target): Promise<string> {
  const { port, appId, developer } = target;
  const attempts = smugglingAttempts({
    host: `127.0.0.1:${port}`,
    path: `/developer/apps/v1/${appId}`,
    token: developer,
  });
  for (const { name, bytes, must } of attempts) {
    const client = await HostileSocket.open(port);
    client.send(bytes);
    await client.ended(waitMsMax);
    const { statuses } = client;
    guarantee(!isOpen(client), `${name}: received ${statuses}, and the connection is still open`);
    const isRefused =
      statuses.length === 0 || (statuses.length === 1 && [400, 413, 431, 501].includes(statuses[0] as number));
    const isOne = statuses.length === 1 && (statuses[0] as number) < 500;
    const isExpected = { refused: isRefused, one: isOne, either: isRefused || isOne }[must];
    guarantee(isExpected, `${name}: received ${statuses.join(', ')}, expected: ${must}`);
    client.destroy();
  }
  return `${attempts.length} attempts`;
}

function readRequest({ port, platform }: Target, appId: string): Buffer {
  return requestBytes(getAppRequest(platform, appId, { host: `127.0.0.1:${port}` }));
}

/** Opens a few at a time, as the backlog of a listener is limited. */
async function openMany(port: number, count: number): Promise<HostileSocket[]> {
  const clients: HostileSocket[] = [];
  while (clients.length < count) {
    const batch = Math.min(connectingMax, count - clients.length);
    clients.push(...(await Promise.all(Array.from({ length: batch }, () => HostileSocket.open(port)))));
  }
  return clients;
}

function isOpen({ closedAt }: HostileSocket): boolean {
  return closedAt === undefined;
}
