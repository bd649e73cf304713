import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartedProcess } from '../system/started-process.ts';
import { removeFolder, temporaryFolder } from '../system/temporary-folder.ts';
import { systemPath } from './system-programs.ts';

/** rsyslog with a configuration alone, as a process of its own. */
export class Rsyslog {
  readonly #folder = temporaryFolder('rsyslog-');
  readonly #process: StartedProcess;

  constructor(configuration: string) {
    const [file, pid] = [join(this.#folder, 'rsyslog.conf'), join(this.#folder, 'pid')];
    writeFileSync(file, `global(workDirectory="${this.#folder}")\n${configuration}`);
    const command: [string, ...string[]] = ['rsyslogd', '-n', '-f', file, '-i', pid];
    this.#process = new StartedProcess(command, { env: { PATH: systemPath }, cwd: this.#folder });
  }

  async stop(): Promise<void> {
    await this.#process.end('SIGTERM');
    removeFolder(this.#folder);
  }
}
