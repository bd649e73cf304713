import { type Defect, defectiveSource, ownSource, type Source } from './defect.ts';
import { BrokenGuarantee, type Figures } from './fault-injection.ts';
import type { Program } from './programs.ts';
import { publish } from './publish.ts';
import { Run } from './run.ts';

/** The longest run, even if something hangs. */
const minutesMax = { full: 240, short: 15 };

export interface ProgramRun extends Program {
  seed: number;
  short: boolean;
  /** The options of the command line. */
  given: Record<string, unknown>;
  defect?: Defect;
  /** Whether its figures become the published ones, if every guarantee holds. */
  isPublished?: boolean;
}

/** Prints the outcome. Returns 0 if every guarantee holds, 1 if one is broken, 2 if the program could not run. */
export async function runProgram(run: ProgramRun): Promise<number> {
  const title = `${run.name}${run.defect ? ` with the defect ${run.defect.name}` : ''} (seed ${run.seed})`;
  print(`${title} ...`);
  const startedAt = performance.now();
  try {
    const figures = await figuresOf(run);
    print(`${title}: every guarantee holds. ${lineOf(figures, startedAt)}`);
    if (run.isPublished) publish({ ...run, at: new Date() }, figures);
    return 0;
  } catch (error) {
    const isBroken = error instanceof BrokenGuarantee;
    print(`${title}: ${isBroken ? 'a guarantee is broken' : 'could not run'}. ${describe(error)}`);
    return isBroken ? 1 : 2;
  }
}

/** Prints whether the run catches its defect. Returns 0 if it does, 1 if not, 2 if the program could not run. */
export async function catchDefect(run: ProgramRun & { defect: Defect }): Promise<number> {
  const title = `${run.name}, defect ${run.defect.name} (seed ${run.seed}): ${run.defect.what}`;
  const startedAt = performance.now();
  try {
    print(`${title}: NOT CAUGHT. ${lineOf(await figuresOf(run), startedAt)}`);
    return 1;
  } catch (error) {
    const isCaught = error instanceof BrokenGuarantee;
    print(`${title}: ${isCaught ? 'caught' : 'could not run'}. ${describe(error)}`);
    return isCaught ? 0 : 2;
  }
}

async function figuresOf({ faultInjection, seed, short, given, defect }: ProgramRun): Promise<Figures> {
  const source: Source = defect ? await defectiveSource(defect) : ownSource;
  const options = Object.entries(faultInjection.options).map(([name, option]) => {
    const preset = short ? (option.short ?? option.value) : option.value;
    return [name, (given[name] as string | undefined) ?? defect?.options?.[name] ?? preset] as const;
  });
  const run = new Run({ seed, source, options: Object.fromEntries(options) });
  run.atEnd(source.remove);
  try {
    return await withinMinutes(minutesMax[short ? 'short' : 'full'], faultInjection.run(run));
  } finally {
    await run.end();
  }
}

async function withinMinutes<Result>(minutes: number, work: Promise<Result>): Promise<Result> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`it took ${minutes} minutes`)), minutes * 60_000);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function lineOf(figures: Figures, startedAt: number): string {
  const parts = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
  return [...parts, `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`].join(', ');
}

/** The message of a broken guarantee; the stack and causes of any other error. */
function describe(error: unknown): string {
  if (error instanceof BrokenGuarantee) return error.message;
  if (!(error instanceof Error)) return String(error);
  return `${error.stack}${error.cause === undefined ? '' : `\n  because: ${describe(error.cause)}`}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
