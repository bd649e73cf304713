import { homedir } from 'node:os';

/**
 * The home folder of this user; null without one, as in a container whose user the system does not know. Then Node throws
 * unless `HOME` is set, and returns the value of an empty one.
 */
export function homeFolder(): string | null {
  try {
    return homedir() || null;
  } catch {
    return null;
  }
}
