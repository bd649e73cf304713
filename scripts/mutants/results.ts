import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutation, MutationPlace } from './mutations.ts';

/** A mutant that no test noticed. */
interface Survivor extends MutationPlace {
  /** Written by hand: why no test needs to notice it, or what is missing. */
  reason: string;
}

interface StoredResults {
  alive: Survivor[];
  /** By file, the identities of the mutants. */
  killed: Record<string, string[]>;
}

/** The results of all runs so far: `results.json`, and `survivors.md` for readers. */
export class Results {
  readonly #folder: string;
  readonly #alive: Map<string, Survivor>;
  /** The files by the identities of their mutants. */
  readonly #killed: Map<string, string>;

  /** Drops a result if its code no longer exists. */
  constructor(folder: string, candidates: readonly Mutation[]) {
    this.#folder = folder;
    const file = join(folder, 'results.json');
    const { alive, killed }: StoredResults = existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : { alive: [], killed: {} };
    const existing = new Map(candidates.map(({ place }) => [identity(place), place.file]));
    const survivors = alive.map(({ reason, ...place }) => [identity(place), { ...place, reason }] as const);
    this.#alive = new Map(survivors.filter(([key]) => existing.has(key)));
    this.#killed = new Map([...existing].filter(([key, path]) => killed[path]?.includes(key)));
  }

  isAlive({ place }: Mutation): boolean {
    return this.#alive.has(identity(place));
  }

  isTried(mutation: Mutation): boolean {
    return this.isAlive(mutation) || this.#killed.has(identity(mutation.place));
  }

  add({ place }: Mutation, isAlive: boolean): void {
    const key = identity(place);
    const reason = this.#alive.get(key)?.reason ?? '';
    this.#alive.delete(key);
    if (isAlive) this.#alive.set(key, { ...place, reason });
    else this.#killed.set(key, place.file);
    this.save();
  }

  summary(): string {
    const [alive, killed] = [this.#alive.size, this.#killed.size];
    const percent = (100 * killed) / (alive + killed || 1);
    return `${alive + killed} tried, ${killed} killed (${percent.toFixed(0)} %), ${alive} alive`;
  }

  /** Writes both files, sorted, so that a run changes few lines. */
  save(): void {
    const alive = [...this.#alive.values()].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    const files = [...new Set(this.#killed.values())].toSorted();
    const keys = [...this.#killed.keys()].toSorted();
    const killed = Object.fromEntries(
      files.map((file) => [file, keys.filter((key) => this.#killed.get(key) === file)]),
    );
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, 'results.json'), `${JSON.stringify({ alive, killed }, null, 2)}\n`);
    const page = `${pageStart(this.summary())}${alive.map(tableRow).join('')}`;
    writeFileSync(join(this.#folder, 'survivors.md'), page);
  }
}

/** Remains the same as long as the code exists in its function, on any line. */
export function identity({ file, function: name, kind, original, replacement, occurrence }: MutationPlace): string {
  const fields = [file, name, kind, original, replacement, occurrence];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 12);
}

function pageStart(summary: string): string {
  return `# Surviving mutants

For contributors: changes of the server that no test notices, found by \`npm run mutants\`. Write the reason of a survivor into
\`results.json\`: why no test needs to notice it, or which test is missing.

${summary}.

| file | function | kind | change | reason |
|---|---|---|---|---|
`;
}

function tableRow({ file, function: name, kind, original, replacement, reason }: Survivor): string {
  const change = `${code(original)} → ${code(replacement) || 'nothing'}`;
  return `| ${code(file)} | ${code(name)} | ${kind} | ${change} | ${reason} |\n`;
}

/** Code in a cell of a table, on one line and not too long. */
function code(text: string): string {
  if (text === '') return '';
  const line = text.trim().replaceAll(/\s+/g, ' ');
  const short = line.length > 120 ? `${line.slice(0, 119)}…` : line;
  const quotes = short.includes('`') ? '``' : '`';
  return `${quotes}${short.replaceAll('|', '\\|')}${quotes}`;
}
