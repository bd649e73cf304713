import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { promise } from '../frame/torture.ts';

/** What tells a change apart, in the pages of the log and in its answer. */
const changePattern = /mark\d{8}|installation_[0-9a-z]{26}/g;

/** What is known of a change while its trace is read; each is a line of the trace. */
interface Traced {
  /** Where its last page was written to the log before its answer. */
  written?: number;
  /** Where its answer began. */
  answered?: number;
  /** Where the last sync began that had ended by then. */
  synced?: number;
}

/** The order of writes, syncs and answers in a trace of `strace -f -y`. */
export class SyncProof {
  syncs = 0;
  /** How many changes have shared a sync. */
  largestGroup = 0;
  readonly #changes = new Map<string, Traced>();
  /** Calls that another thread has interrupted in the trace, by thread: the line of each one's beginning. */
  readonly #unfinished = new Map<string, { line: number; call: string }>();
  #line = 0;
  #lastSync = -1;
  #group = new Set<string>();

  static async read(file: string): Promise<SyncProof> {
    const proof = new SyncProof();
    for await (const line of createInterface({ input: createReadStream(file) })) proof.#take(line);
    return proof;
  }

  /** Throws `BrokenPromise` unless a sync that began after the change was written ended before its answer began. */
  assertSynced(change: string): void {
    const { written, answered, synced = -1 } = this.#changes.get(change) ?? {};
    promise(answered !== undefined, `the trace has no answer to ${change}`);
    promise(written !== undefined, `${change} was answered, and nothing of it was written to the log before`);
    promise(synced > written, `${change} was answered before a sync of the log had ended`);
  }

  #take(text: string): void {
    this.#line += 1;
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/s.exec(text) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>/.test(rest) ? this.#unfinished.get(thread) : undefined;
    const call = resumed?.call ?? rest;
    const began = resumed?.line ?? this.#line;
    if (rest.includes('<unfinished ...>')) this.#unfinished.set(thread, { line: this.#line, call: rest });
    else this.#unfinished.delete(thread);
    if (/^f(?:data)?sync\(\d+<[^>]*-wal>/.test(call)) {
      if (/ = 0$/.test(rest)) this.#sync(began);
    } else if (/^pwrite(?:64|v)\(\d+<[^>]*-wal>/.test(call)) {
      if (!resumed) this.#write(call);
    } else if (/^(?:write|writev|sendto|sendmsg)\(\d+<(?:socket|TCP)/.test(call) && call.includes('HTTP/1.1 20')) {
      if (!resumed) this.#answer(call);
    }
  }

  #sync(began: number): void {
    this.syncs += 1;
    this.#lastSync = began;
    this.largestGroup = Math.max(this.largestGroup, this.#group.size);
    this.#group = new Set();
  }

  /** A page holds older rows too: what comes after the answer of a change is no writing of it. */
  #write(call: string): void {
    for (const [change] of call.matchAll(changePattern)) {
      const traced = this.#of(change);
      if (traced.answered !== undefined) continue;
      if (traced.written === undefined) this.#group.add(change);
      traced.written = this.#line;
    }
  }

  #answer(call: string): void {
    for (const [change] of call.matchAll(changePattern)) {
      const traced = this.#of(change);
      traced.answered ??= this.#line;
      traced.synced ??= this.#lastSync;
    }
  }

  #of(change: string): Traced {
    const known = this.#changes.get(change) ?? {};
    this.#changes.set(change, known);
    return known;
  }
}
