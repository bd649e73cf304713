import { setTimeout as sleep } from 'node:timers/promises';
import { pipelineUnknown } from '@appregistrar/testkit/http/pipeline-unknown';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { trySend } from '@appregistrar/testkit/http/send';
import { BrokenGuarantee, guarantee } from '../harness/fault-injection.ts';
import { freshUrl } from '../harness/fresh-database.ts';
import type { Run } from '../harness/run.ts';
import { Service } from '../harness/service.ts';

/** The longest time to end: far more than a service takes on a busy machine. */
const endMsMax = 60_000;

export interface LogLine {
  msg: string;
  route?: string | null;
  /** The number of dropped lines that the line reports. */
  lines?: number;
}

/** A service that logs to a file or named pipe, and the number of lines that its requests must leave there. */
export class LogScene {
  readonly service: Service;
  /** The requests of this program, each of which is one line. */
  requests = 0;

  static async start(run: Run, logFile: string): Promise<LogScene> {
    const databaseUrl = await freshUrl(run, 'sqlite');
    const service = await Service.create({ source: run.source, databaseUrl, env: { LOG_LEVEL: 'info' }, logFile });
    run.atEnd(() => service.kill());
    await service.start();
    return new LogScene(service);
  }

  private constructor(service: Service) {
    this.service = service;
  }

  /** Makes requests that need no token, and checks that the service responds to them and to its supervisor. */
  async flood(count: number): Promise<void> {
    const responses = await pipelineUnknown(portOf(this.service.publicUrl), count).catch(() => 0);
    guarantee(
      responses === count,
      `the log takes nothing, and ${count - responses} of ${count} requests get no response`,
    );
    const live = await trySend(this.service.operatorUrl, { method: 'GET', path: '/livez' });
    guarantee(live?.status === 200, `the log takes nothing, and /livez returns ${live?.status ?? 'nothing'}`);
    this.requests += count + 1;
  }

  /** The number of lines that the service reports as dropped. */
  async dropped(): Promise<number> {
    const metrics = await ScrapedMetrics.of({ port: portOf(this.service.operatorUrl) });
    this.requests += 1;
    return metrics.value('log_lines_dropped_total') ?? 0;
  }

  /** Sends SIGTERM. */
  async stop(): Promise<void> {
    const status = await Promise.race([this.service.stop(), sleep(endMsMax, 'nothing', { ref: false })]);
    guarantee(status === 0, () => `SIGTERM ends the service with ${status}: ${this.service.process.lastOutput}`);
  }

  /** The lines of a log, which must all be whole. */
  linesOf(text: string): LogLine[] {
    const lines = text.split('\n');
    guarantee(lines.pop() === '', 'the log ends within a line');
    return lines.map(parseLine);
  }

  /** Each request must be a line, or one of the dropped lines. */
  assertCounted(lines: LogLine[], dropped: number): void {
    const requests = lines.filter(isOfThisProgram).length;
    guarantee(
      requests + dropped === this.requests,
      `of ${this.requests} requests, ${requests} are in the log and ${dropped} are counted as dropped`,
    );
    const reported = lines.map(({ msg, lines = 0 }) => (msg === 'log lines dropped' ? lines : 0));
    const sum = reported.reduce((total, count) => total + count, 0);
    guarantee(sum === dropped, `${dropped} lines are counted as dropped, and the log reports ${sum}`);
  }
}

function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line);
  } catch {
    throw new BrokenGuarantee(`a line of the log is not whole: ${line}`);
  }
}

/** The frame requests `/readyz`. */
function isOfThisProgram({ msg, route }: LogLine): boolean {
  return msg === 'request' && (route === null || route === '/livez' || route === '/metrics');
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
