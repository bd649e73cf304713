import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

const pageBytes = 4_096;
const call = /^(pwrite64|ftruncate|fsync|fdatasync|unlink)\((?:\d+<((?:\\x\w\w)+)>|"((?:\\x\w\w)+)")/;

/** A file as programs see it, and as a loss of power leaves it. */
interface SimulatedFile {
  cached: Buffer;
  onDisk: Buffer;
  /** The numbers of the pages that were written since the last sync. */
  unsynced: Set<number>;
}

/**
 * The disk below a SQLite database, as the system calls of its processes change it. It is the worst that a system may do:
 * nothing is on the disk before a sync, and a failed sync drops what it should have written, although programs still read
 * it and the next sync succeeds.
 */
export class SimulatedDisk {
  /** The options of `strace` for a trace that `apply` reads. */
  static readonly traceOptions: readonly string[] = [
    ...['-f', '-y', '-xx', '-s', String(2 * pageBytes), '-e', 'signal=none'],
    ...['-e', 'trace=pwrite64,ftruncate,fsync,fdatasync,unlink'],
  ];

  readonly #path: string;
  readonly #files = new Map<string, SimulatedFile>();
  failedSyncs = 0;

  /** With what the database has stored so far. Nothing may have it open. */
  constructor(path: string) {
    this.#path = path;
    for (const file of [path, `${path}-wal`]) {
      if (!existsSync(file)) continue;
      const bytes = readFileSync(file);
      this.#files.set(file, { cached: bytes, onDisk: Buffer.from(bytes), unsynced: new Set() });
    }
  }

  /** Applies the calls of a process that has ended. */
  async apply(trace: string): Promise<void> {
    /** Calls that another thread interrupted in the trace, by thread. */
    const begun = new Map<string, string>();
    for await (const line of createInterface({ input: createReadStream(trace) })) {
      const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
      const resumed = text.startsWith('<... ') ? (begun.get(thread) ?? '') + text : text;
      if (text.endsWith('<unfinished ...>')) begun.set(thread, text);
      else this.#apply(resumed);
    }
  }

  /** Writes what a loss of power leaves to a folder. Returns the path of the database. */
  loseTo(folder: string): string {
    mkdirSync(folder);
    for (const [path, { onDisk }] of this.#files) writeFileSync(join(folder, basename(path)), onDisk);
    return join(folder, basename(this.#path));
  }

  #apply(text: string): void {
    const [, name, descriptor, argument] = call.exec(text) ?? [];
    const path = hex(descriptor ?? argument ?? '').toString();
    if (name === undefined || (path !== this.#path && path !== `${this.#path}-wal`)) return;
    const hasSucceeded = / = \d+(?: |$)/.test(text);
    if (name === 'pwrite64' && hasSucceeded) this.#write(path, text);
    else if (name === 'ftruncate' && hasSucceeded) this.#truncate(path, Number(/>, (\d+)/.exec(text)?.[1]));
    else if (name === 'unlink' && hasSucceeded) this.#files.delete(path);
    else if (name.endsWith('sync')) this.#sync(path, hasSucceeded);
  }

  #write(path: string, text: string): void {
    const [, data = '', offset = ''] = /"((?:\\x\w\w)*)", \d+, (\d+)/.exec(text) ?? [];
    const [bytes, from] = [hex(data), Number(offset)];
    const file = this.#file(path);
    file.cached = resized(file.cached, Math.max(file.cached.length, from + bytes.length));
    bytes.copy(file.cached, from);
    for (let page = Math.floor(from / pageBytes); page * pageBytes < from + bytes.length; page += 1)
      file.unsynced.add(page);
  }

  #truncate(path: string, length: number): void {
    const file = this.#file(path);
    file.cached = resized(file.cached, length);
  }

  #sync(path: string, hasSucceeded: boolean): void {
    const file = this.#file(path);
    if (hasSucceeded) {
      file.onDisk = resized(file.onDisk, file.cached.length);
      for (const page of file.unsynced)
        file.cached.copy(file.onDisk, page * pageBytes, page * pageBytes, (page + 1) * pageBytes);
    } else this.failedSyncs += 1;
    file.unsynced.clear();
  }

  #file(path: string): SimulatedFile {
    const file = this.#files.get(path) ?? { cached: Buffer.alloc(0), onDisk: Buffer.alloc(0), unsynced: new Set() };
    this.#files.set(path, file);
    return file;
  }
}

/** The bytes of a text of `strace -xx`. */
function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}

/** Filled up with zeros, as a file with a gap is. */
function resized(bytes: Buffer, length: number): Buffer {
  if (length <= bytes.length) return bytes.subarray(0, length);
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
}
