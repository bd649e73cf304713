import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import type { Run } from '../harness/run.ts';

/** The clock of a program that runs under libfaketime. It can be set while the program runs; durations stay true. */
export class SettableClock {
  /** The environment of the program. */
  readonly env: Record<string, string>;
  readonly #file: string;

  constructor(run: Run) {
    const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
    if (library === undefined) throw new Error('Missing: libfaketime. On Debian and Ubuntu: apt-get install faketime');
    const folder = temporaryFolder('clock-');
    run.atEnd(() => removeFolder(folder));
    this.#file = join(folder, 'offset');
    this.env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    this.set(0);
  }

  set(aheadSeconds: number): void {
    writeFileSync(this.#file, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}\n`);
  }
}
