import { readFileSync } from 'node:fs';

/** Each of them may be in a file instead, such as a mounted secret: the variable with `_FILE` at its end names it. */
export const secretVariables = ['DATABASE_URL', 'PGPASSWORD', 'SECRETS_KEY', 'OIDC_CLIENT_SECRET', 'WEBHOOK_PROXY'];

/** The secrets in the files that the environment names. The line break at the end of a file is no part of its secret. */
export function secretsOfFiles(
  env: Readonly<Record<string, string | undefined>>,
  addError: (name: string, requirement: string) => void,
): Record<string, string> {
  const secrets: Record<string, string> = {};
  for (const name of secretVariables) {
    const variable = `${name}_FILE`;
    const path = env[variable];
    if (!path) continue;
    if (env[name]) addError(variable, `must not be set together with ${name}`);
    const bytes = readSettingFile(path, (requirement) => addError(variable, requirement));
    const text = bytes?.toString('utf8').replace(/\r?\n$/, '');
    if (text === '') addError(variable, 'must name a non-empty file');
    if (text) secrets[name] = text;
  }
  return secrets;
}

/** The content of a file; null if it cannot be read. */
export function readSettingFile(path: string, addError: (requirement: string) => void): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    addError(`must name a readable file (${reason})`);
    return null;
  }
}
