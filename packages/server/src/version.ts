import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkedOutCommit } from './checked-out-commit.ts';

/** The running build. `commit` is absent if it is unknown. */
export interface Build {
  version: string;
  commit?: string;
}

/** The version of this program's package. */
export function version(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** The version, and the commit that the package was built from, or that is checked out where the source runs. */
export function currentBuild(): Build {
  const commit = builtCommit() ?? checkedOutCommit(fileURLToPath(new URL('../../..', import.meta.url)));
  return { version: version(), ...(commit && { commit }) };
}

/** A build in readable form. */
export function describeBuild({ version, commit }: Build): string {
  return commit ? `${version} (${commit})` : version;
}

/** `build.ts` writes it beside the bundle. */
function builtCommit(): string | undefined {
  try {
    return readFileSync(new URL('commit.txt', import.meta.url), 'utf8').trim();
  } catch {
    return undefined;
  }
}
