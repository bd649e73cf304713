import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { guarantee } from '../harness/fault-injection.ts';

/** Identifies a change in the pages of the log and in its response. */
const changePattern = /mark\d{8}|installation_[0-9a-z]{26}/g;

/** The line numbers of a change in the trace. */
interface Traced {
  /** The end of the commit that wrote it to the log. */
  written?: number;
  /** The start of its response. */
  responded?: number;
  /** The start of the last sync that had ended by then. */
  synced?: number;
}

/** The order of writes, syncs and responses in a trace of `strace -f -y`. */
export class SyncProof {
  syncs = 0;
  /** The most changes that shared a sync. */
  largestGroup = 0;
  readonly #changes = new Map<string, Traced>();
  /** Calls interrupted in the trace by another thread, by thread, with the line of their start. */
  readonly #unfinished = new Map<string, { line: number; call: string }>();
  #line = 0;
  #lastSync = -1;
  /** Written to the log since the last commit. */
  readonly #uncommitted = new Set<string>();
  /** Whether the next page is the last one of a commit. */
  #endsCommit = false;
  #group = new Set<string>();

  static async read(file: string): Promise<SyncProof> {
    const proof = new SyncProof();
    for await (const line of createInterface({ input: createReadStream(file) })) proof.#take(line);
    return proof;
  }

  /** Throws `BrokenGuarantee` unless a sync that began after the change was written ended before its response began. */
  assertSynced(change: string): void {
    const { written, responded, synced = -1 } = this.#changes.get(change) ?? {};
    guarantee(responded !== undefined, `the trace has no response to ${change}`);
    guarantee(written !== undefined, `${change} was not written to the log before its response`);
    guarantee(synced > written, `${change} was not synced before its response`);
  }

  #take(text: string): void {
    this.#line += 1;
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/s.exec(text) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>/.test(rest) ? this.#unfinished.get(thread) : undefined;
    const call = resumed?.call ?? rest;
    const startedAt = resumed?.line ?? this.#line;
    if (rest.includes('<unfinished ...>')) this.#unfinished.set(thread, { line: this.#line, call: rest });
    else this.#unfinished.delete(thread);
    if (/^f(?:data)?sync\(\d+<[^>]*-wal>/.test(call)) {
      if (/ = 0(?: \(DELAYED\))?$/.test(rest)) this.#sync(startedAt);
    } else if (/^pwrite(?:64|v)\(\d+<[^>]*-wal>/.test(call)) {
      if (!resumed) this.#write(call);
    } else if (/^(?:write|writev|sendto|sendmsg)\(\d+<(?:socket|TCP)/.test(call) && call.includes('HTTP/1.1 20')) {
      if (!resumed) this.#respond(call);
    }
  }

  #sync(startedAt: number): void {
    this.syncs += 1;
    this.#lastSync = startedAt;
    this.largestGroup = Math.max(this.largestGroup, this.#group.size);
    this.#group = new Set();
  }

  /** SQLite writes the header of a page, and then the page, which contains earlier changes too. */
  #write(call: string): void {
    if (/", 24, \d+/.test(call)) {
      this.#endsCommit = endsCommit(call);
      return;
    }
    for (const [change] of call.matchAll(changePattern)) this.#uncommitted.add(change);
    if (!this.#endsCommit) return;
    this.#endsCommit = false;
    for (const change of this.#uncommitted) this.#commit(change);
    this.#uncommitted.clear();
  }

  #commit(change: string): void {
    const traced = this.#of(change);
    if (traced.written !== undefined) return;
    traced.written = this.#line;
    this.#group.add(change);
  }

  #respond(call: string): void {
    for (const [change] of call.matchAll(changePattern)) {
      const traced = this.#of(change);
      traced.responded ??= this.#line;
      traced.synced ??= this.#lastSync;
    }
  }

  #of(change: string): Traced {
    const known = this.#changes.get(change) ?? {};
    this.#changes.set(change, known);
    return known;
  }
}

/** The last page of a commit has the size of the database in its header, after its own number. Others have 0. */
function endsCommit(call: string): boolean {
  const [, text = ''] = /"(.*)", 24, /.exec(call) ?? [];
  const bytes = text.match(/\\(?:[0-7]{1,3}|.)|[^\\]/g) ?? [];
  return bytes.slice(4, 8).some((byte) => byte !== '\\0');
}
