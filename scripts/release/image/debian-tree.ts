import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../execute.ts';

/** The parts of a system that the program needs: the C and C++ libraries. No shell and no package manager. */
const packages = ['base-files', 'gcc-12-base', 'libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6'];

/** A folder with packages of Debian, and which these are. */
export interface DebianTree {
  folder: string;
  packages: { name: string; version: string; architecture: string }[];
}

/** Unpacks the packages in the versions that apt offers on this machine, without running their scripts. */
export function unpackDebian(scratch: string): DebianTree {
  const downloads = join(scratch, 'debs');
  const folder = join(scratch, 'system');
  mkdirSync(downloads);
  mkdirSync(join(folder, 'var/lib/dpkg/status.d'), { recursive: true });
  // The user of apt's sandbox could not write to this user's folder.
  const asThisUser = '--option=APT::Sandbox::User=root';
  execute(['apt-get', 'download', '--quiet', asThisUser, ...packages], { cwd: downloads });
  const unpacked = readdirSync(downloads)
    .toSorted()
    .map((deb) => unpack(join(downloads, deb), folder));
  return { folder, packages: unpacked };
}

/** Scanners for vulnerable packages read the description that is left in `status.d`. */
function unpack(deb: string, folder: string): DebianTree['packages'][number] {
  const field = (name: string) => execute(['dpkg-deb', '--field', deb, name], { cwd: folder });
  const name = field('Package');
  execute(['dpkg-deb', '--extract', deb, folder], { cwd: folder });
  writeFileSync(
    join(folder, 'var/lib/dpkg/status.d', name),
    `${execute(['dpkg-deb', '--field', deb], { cwd: folder })}\n`,
  );
  return { name, version: field('Version'), architecture: field('Architecture') };
}
