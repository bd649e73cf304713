import { type ApiRequest, apiRequest, requestBytes } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { RawConnection } from '@appregistrar/testkit/http/raw-connection';
import { BrokenGuarantee, guarantee } from '../harness/fault-injection.ts';

/** The ports of one process of the service. */
export interface Ports {
  public: number;
  operator: number;
}

export interface Tokens {
  platform: string;
  operator: string;
}

export interface AuthorizedRequest extends ApiRequest {
  token: string;
  isPublic: boolean;
}

/** Connections to all processes, each used by one request at a time. */
export class Connections {
  readonly #ports: Ports[];
  readonly #idle = new Map<number, RawConnection[]>();

  constructor(ports: Ports[]) {
    this.#ports = ports;
  }

  get processes(): number {
    return this.#ports.length;
  }

  /** Sends a request to a process. No response breaks a guarantee. */
  async send({ token, isPublic, ...request }: AuthorizedRequest, process: number): Promise<HttpResponse> {
    const ports = this.#ports[process] as Ports;
    const port = isPublic ? ports.public : ports.operator;
    const idle = this.#idleOf(port);
    const connection = idle.pop() ?? new RawConnection(port);
    try {
      const headers = { host: `127.0.0.1:${port}`, ...request.headers };
      return await connection.send(requestBytes(apiRequest(token, { ...request, headers })));
    } catch (error) {
      throw new BrokenGuarantee(`process ${process} did not respond to ${request.method} ${request.path}: ${error}`);
    } finally {
      idle.push(connection);
    }
  }

  close(): void {
    for (const connection of [...this.#idle.values()].flat()) connection.close();
  }

  #idleOf(port: number): RawConnection[] {
    const idle = this.#idle.get(port) ?? [];
    this.#idle.set(port, idle);
    return idle;
  }
}

/** The problem code of a refusal. An error of the service breaks a guarantee. */
export function refusalIn({ status, text }: { status: number; text: string }, request: object): string {
  guarantee(status < 500 || status === 503, `a ${status} to ${JSON.stringify(request)}: ${text}`);
  return JSON.parse(text).code;
}
