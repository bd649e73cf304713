import { ConfigError } from '../config/config-error.ts';
import { environment } from '../config/env.ts';

/** Also names the process that set it, so that a value set by hand or inherited from elsewhere is detected. */
const variable = 'APP_REGISTRY_PROCESS';

/** The environment of the process with this number, from 1, in the command that this process runs. */
export function environmentOf(number: number): Record<string, string | undefined> {
  return { ...environment, [variable]: `${number} of ${process.pid}` };
}

/** The number of this process in the command that has started it; null if none has. Throws a `ConfigError` for a number without a command. */
export function processNumber(): number | null {
  const value = environment[variable];
  if (!value) return null;
  const [, number] = new RegExp(`^(\\d+) of ${process.ppid}$`).exec(value) ?? [];
  // Serving alone instead, a process would outlive a command that has just been killed.
  if (number === undefined || !process.connected)
    throw new ConfigError(
      `${variable} is reserved for the processes that "serve --processes" starts, and this is not one of them. Unset it.`,
    );
  return Number(number);
}
