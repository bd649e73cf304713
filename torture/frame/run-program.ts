import { type Mutant, mutatedSource, ownSource, type Source } from './mutant.ts';
import type { Program } from './programs.ts';
import { Run } from './run.ts';
import { BrokenPromise, type Figures } from './torture.ts';

/** No run goes on for longer, whatever hangs. */
const minutesMax = { full: 240, short: 15 };

export interface ProgramRun extends Program {
  seed: number;
  short: boolean;
  /** Options, as they were given. */
  given: Record<string, unknown>;
  mutant?: Mutant;
}

/** Tells the outcome: 0 when every promise was kept, 1 when one was broken, 2 when it could not be tried. */
export async function runProgram(run: ProgramRun): Promise<number> {
  const title = `${run.name}${run.mutant ? ` with the mutant ${run.mutant.name}` : ''} (seed ${run.seed})`;
  say(`${title} ...`);
  const began = performance.now();
  try {
    say(`${title}: every promise kept. ${lineOf(await figuresOf(run), began)}`);
    return 0;
  } catch (error) {
    const isBroken = error instanceof BrokenPromise;
    say(`${title}: ${isBroken ? 'a promise was broken' : 'could not be tried'}. ${told(error)}`);
    return isBroken ? 1 : 2;
  }
}

/** Of a run with a mutant a broken promise is the good end: 0 then, 1 when none was broken. */
export async function catchMutant(run: ProgramRun & { mutant: Mutant }): Promise<number> {
  const title = `${run.name}, mutant ${run.mutant.name} (seed ${run.seed}): ${run.mutant.what}`;
  const began = performance.now();
  try {
    say(`${title}: NOT CAUGHT. ${lineOf(await figuresOf(run), began)}`);
    return 1;
  } catch (error) {
    const isCaught = error instanceof BrokenPromise;
    say(`${title}: ${isCaught ? 'caught' : 'could not be tried'}. ${told(error)}`);
    return isCaught ? 0 : 2;
  }
}

async function figuresOf({ torture, seed, short, given, mutant }: ProgramRun): Promise<Figures> {
  const source: Source = mutant ? await mutatedSource(mutant) : ownSource;
  const options = Object.entries(torture.options).map(([name, option]) => {
    const usual = short ? (option.short ?? option.value) : option.value;
    return [name, (given[name] as string | undefined) ?? mutant?.options?.[name] ?? usual] as const;
  });
  const run = new Run({ seed, source, options: Object.fromEntries(options) });
  run.atEnd(source.remove);
  try {
    return await withinMinutes(minutesMax[short ? 'short' : 'full'], torture.run(run));
  } finally {
    await run.end();
  }
}

async function withinMinutes<Result>(minutes: number, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it has taken ${minutes} minutes`)), minutes * 60_000);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function lineOf(figures: Figures, began: number): string {
  const told = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
  return [...told, `${((performance.now() - began) / 1_000).toFixed(1)} s`].join(', ');
}

/** A broken promise is told by its message; of anything else the whole is of use. */
function told(error: unknown): string {
  if (error instanceof BrokenPromise) return error.message;
  if (!(error instanceof Error)) return String(error);
  return `${error.stack}${error.cause === undefined ? '' : `\n  because: ${told(error.cause)}`}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
