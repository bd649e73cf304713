import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineName } from './databases.ts';

/** A mechanism that exists for speed alone: everything behaves the same without it. */
export interface Mechanism {
  name: string;
  what: string;
  /** Where it exists on one engine only. */
  engine?: EngineName;
  /** Switches it off: replaces text that occurs exactly once in a file of `packages/server/src`. */
  patches: { file: string; find: string; replace: string }[];
}

export const mechanisms: Mechanism[] = [
  {
    name: 'response-cache',
    what: 'a response to Get App is sent again while its app is at the same revision',
    patches: [
      { file: 'http/public/get-app-route.ts', find: 'app?.revision === revision ? app', replace: 'false ? app' },
    ],
  },
  {
    name: 'lookup-batches',
    what: 'the lookups of all requests of one turn of the event loop are one query',
    patches: [
      {
        file: 'storage/request-lookups.ts',
        find: '    if (!this.#open) {\n      this.#open = new Batch();',
        replace: `    const own = new Batch();
    own.isScheduled = true;
    this.#loading += 1;
    queueMicrotask(() => this.#run(own));
    if (own.isScheduled) return own;
    if (!this.#open) {
      this.#open = new Batch();`,
      },
    ],
  },
  {
    name: 'group-commit',
    what: 'the writes that wait share a transaction and its sync',
    engine: 'SQLite',
    patches: [
      {
        file: 'storage/sqlite/sqlite-writer.ts',
        find: '      const group = this.#waiting;\n      this.#waiting = [];',
        replace: '      const group = this.#waiting.splice(0, 1);',
      },
    ],
  },
  {
    name: 'write-groups',
    what: 'the writes of a process that lock the same row share transactions',
    engine: 'PostgreSQL',
    patches: [
      {
        file: 'storage/postgres/postgres-storage.ts',
        find: 'storage.write = groupWrites(storage.write.bind(storage));',
        replace: '',
      },
    ],
  },
  {
    name: 'overload-slices',
    what: 'a turn of the event loop starts no more requests than it can serve in a short time',
    patches: [
      {
        file: 'http/limits/overload.ts',
        find: 'if (requestsMax === 0) serve(context);',
        replace: 'if (context) serve(context);',
      },
    ],
  },
];

/** Switches a mechanism off in a copy of the source. Throws if a patch does not apply. */
export function switchOff({ name, patches }: Mechanism, source: string): void {
  for (const { file, find, replace } of patches) {
    const path = join(source, file);
    const parts = readFileSync(path, 'utf8').split(find);
    if (parts.length !== 2) throw new Error(`${name} cannot be switched off: ${file} does not contain once: ${find}`);
    writeFileSync(path, parts.join(replace));
  }
}
