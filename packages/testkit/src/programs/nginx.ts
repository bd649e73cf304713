import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpResponse } from '../http/http-response.ts';
import { adaptBlock } from '../pages/operating-page.ts';
import { freePort } from '../system/free-port.ts';
import { systemPath } from './system-programs.ts';

const host = 'apps.example.com';
const startMsMax = 10_000;
/** As in a system service: its workers are unprivileged. */
const runAs = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

interface Ports {
  http: number;
  https: number;
}

export interface ProxiedRequest {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  scheme?: keyof Ports;
  /** The address of the client. */
  from?: string;
}

/** nginx with the configuration of `docs/reverse-proxy.md`, except for ports and paths. */
export class Nginx {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #ports: Ports;
  readonly #certificate: Buffer;

  static async start(configuration: string, registryPort: number): Promise<Nginx> {
    const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
    const ports = { http: await freePort(), https: await freePort() };
    makeCertificate(join(folder, host));
    const server = adaptBlock(configuration, [
      ['server 127.0.0.1:8080 ', `server 127.0.0.1:${registryPort} `],
      ['listen 80;', `listen 127.0.0.1:${ports.http};`],
      ['listen 443 ssl;', `listen 127.0.0.1:${ports.https} ssl;`],
      ['/etc/ssl/', `${folder}/`],
    ]);
    await writeFile(join(folder, 'nginx.conf'), completeConfiguration(server, folder));
    const certificate = await readFile(join(folder, `${host}.pem`));
    const created = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
    if (runAs) await Promise.all(created.map((path) => chown(path, runAs.uid, runAs.gid)));
    const nginx = new Nginx(folder, ports, certificate);
    await nginx.#untilListening();
    return nginx;
  }

  private constructor(folder: string, ports: Ports, certificate: Buffer) {
    this.#folder = folder;
    this.#ports = ports;
    this.#certificate = certificate;
    const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
    const env = { PATH: systemPath };
    this.#process = spawn('nginx', args, { ...runAs, env, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** Its origin without TLS. */
  get plainUrl(): string {
    return `http://127.0.0.1:${this.#ports.http}`;
  }

  /** Sends a request, and leaves reading the response to the caller. */
  async open({ body, scheme = 'https', from, headers, ...request }: ProxiedRequest): Promise<IncomingMessage> {
    const { request: send } = scheme === 'https' ? https : http;
    const sent = send({
      ...request,
      host: '127.0.0.1',
      port: this.#ports[scheme],
      headers: { host, ...headers },
      servername: host,
      ca: this.#certificate,
      agent: false,
      ...(from !== undefined && { localAddress: from }),
    });
    sent.end(body);
    const [response] = await once(sent, 'response');
    return response;
  }

  async send(request: ProxiedRequest): Promise<HttpResponse> {
    const response = await this.open(request);
    const body = Buffer.concat(await response.toArray());
    return new HttpResponse(response.statusCode ?? 0, response.headers as Record<string, string>, body);
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    if (this.#process.exitCode === null && this.#process.kill('SIGTERM')) await ended;
    await rm(this.#folder, { recursive: true });
  }

  async #untilListening(): Promise<void> {
    const deadline = Date.now() + startMsMax;
    while (!(await isListening(this.#ports.https))) {
      if (this.#process.exitCode !== null || Date.now() > deadline) {
        throw new Error(`nginx does not start: ${await readFile(join(this.#folder, 'error.log'), 'utf8')}`);
      }
      await sleep(20);
    }
  }
}

function makeCertificate(path: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${path}.key`];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...key, ...subject, '-out', `${path}.pem`], {
    env: { PATH: systemPath },
    stdio: 'ignore',
  });
}

/** Wraps a file of `conf.d` in a configuration like Debian's, with all files in one folder. */
function completeConfiguration(server: string, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
pid ${folder}/pid;
events {}
http {
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  access_log off;
  gzip on;
${server}}`;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .on('connect', () => resolve(!!socket.destroy()))
      .on('error', () => resolve(false));
  });
}
