import { readdirSync } from 'node:fs';
import type { FaultInjection } from './fault-injection.ts';

export interface Program {
  name: string;
  faultInjection: FaultInjection;
}

const folder = new URL('../', import.meta.url);

/** The program with this name, or null. */
export async function findProgram(name: string): Promise<Program | null> {
  if (!fileNames().includes(name)) return null;
  const { faultInjection } = await import(new URL(`${name}.ts`, folder).href);
  return { name, faultInjection };
}

export async function listPrograms(): Promise<Program[]> {
  const found = await Promise.all(fileNames().map(findProgram));
  return found.filter((program) => program !== null);
}

function fileNames(): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && file !== 'faults.ts');
  return files.map((file) => file.slice(0, -'.ts'.length));
}
