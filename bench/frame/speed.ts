import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mechanism that exists for speed alone: everything behaves the same without it. */
export interface Mechanism {
  name: string;
  what: string;
  /** Switches it off: replaces text that occurs exactly once in a file of `packages/server/src`. */
  patches: { file: string; find: string; replace: string }[];
}

export const mechanisms: Mechanism[] = [
  {
    name: 'response-cache',
    what: 'a response to Get App is sent again while its app is at the same revision',
    patches: [
      { file: 'http/public/app-response-cache.ts', find: 'app?.revision === revision ? app', replace: 'false ? app' },
    ],
  },
  {
    name: 'token-hash-cache',
    what: 'the hashes of recently valid tokens are kept',
    patches: [
      {
        file: 'registry/tokens/authenticate.ts',
        find: 'const cachedHash = hashCache.get(token);',
        replace: 'const cachedHash: string | undefined = undefined;',
      },
    ],
  },
  {
    name: 'own-uuid-text',
    what: 'the text of a UUID is written by our own code',
    patches: [
      {
        file: 'registry/uuid.ts',
        find: '  let at = 0;\n  for (const byte of newUuid()',
        replace: '  if (text) return newUuid().toString();\n  let at = 0;\n  for (const byte of newUuid()',
      },
    ],
  },
  {
    name: 'lookup-batches',
    what: 'the lookups of all requests of one turn of the event loop are one query',
    patches: [
      {
        file: 'storage/gate.ts',
        find: '    setImmediate(() => this.#run(batch));',
        replace: '    this.#open = undefined;\n    queueMicrotask(() => this.#run(batch));',
      },
    ],
  },
  {
    name: 'group-commit',
    what: 'the writes that wait share a transaction and its sync, on SQLite',
    patches: [
      {
        file: 'storage/sqlite/writer.ts',
        find: '      const group = this.#waiting;\n      this.#waiting = [];',
        replace: '      const group = this.#waiting.splice(0, 1);',
      },
    ],
  },
  {
    name: 'write-groups',
    what: 'the writes of a process that lock the same row share transactions, on PostgreSQL',
    patches: [
      {
        file: 'storage/postgres/storage.ts',
        find: 'storage.write = groupWrites(storage.write.bind(storage));',
        replace: '',
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
