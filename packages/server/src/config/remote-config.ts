import { homedir } from 'node:os';
import { join } from 'node:path';
import { environment } from './env.ts';
import { type Environment, VariableReader } from './variable-reader.ts';

/** Which server the command line works with, and by which token. `docs/command-line.md` describes each variable. */
export interface RemoteConfig {
  url: string | null;
  token: string | null;
  /** The folder of the file in which `login` stores tokens; null if this user has no home folder, as in many containers. */
  folder: string | null;
  /** Whether the environment names a database. */
  hasDatabase: boolean;
}

/** Reads these settings. Throws a `ConfigError` that lists every invalid variable. */
export function readRemoteConfig(env: Environment = environment): RemoteConfig {
  const reader = new VariableReader(env);
  const inFile = reader.fileContent('APP_REGISTRY_TOKEN_FILE')?.toString().trim();
  const token = reader.secret('APP_REGISTRY_TOKEN');
  if (inFile !== undefined && token !== undefined)
    reader.addError('APP_REGISTRY_TOKEN_FILE', 'must not be set together with APP_REGISTRY_TOKEN');
  const config = {
    url: reader.url('APP_REGISTRY_URL', '') || null,
    token: token ?? inFile ?? null,
    folder: folderOf(env),
    hasDatabase: Boolean(env.DATABASE_URL || env.DATABASE_URL_FILE),
  };
  reader.finish();
  return config;
}

function folderOf({ XDG_CONFIG_HOME }: Environment): string | null {
  if (XDG_CONFIG_HOME) return join(XDG_CONFIG_HOME, 'app-registry');
  try {
    return join(homedir(), '.config', 'app-registry');
  } catch {
    return null;
  }
}
