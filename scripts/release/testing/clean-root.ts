/** An unprivileged user. */
export const unprivileged = 10_001;

/** A root folder that hides this repository from a program. */
export interface CleanRoot {
  /** The command of a program in it. */
  command(program: string, ...args: string[]): [string, ...string[]];
}

export interface RootOptions {
  env: Record<string, string>;
  /** A folder outside, for each folder of the root that is mounted from there. */
  mounts: Record<string, string>;
}

/**
 * The programs of this system, without anything else of it, such as home folders. `folder` is where it is mounted, for
 * the program alone.
 */
export function systemRoot(folder: string, options: RootOptions): CleanRoot {
  return rootOf(folder, systemMounts, options);
}

/** The same without libatomic, which small systems lack. */
export function smallSystemRoot(folder: string, options: RootOptions): CleanRoot {
  return rootOf(folder, systemMounts + withoutLibatomic, options);
}

/** The root of an image, which cannot be written to. */
export function imageRoot(folder: string, options: RootOptions): CleanRoot {
  return rootOf(folder, 'mount --bind "$root" "$root"', options);
}

const systemMounts = `
    mount -t tmpfs -o mode=755 root "$root"
    for part in bin etc lib lib64 sbin usr; do
      if [ -L "/$part" ]; then cp --no-dereference "/$part" "$root/$part"
      else mkdir "$root/$part"; mount --bind "/$part" "$root/$part"; mount -o remount,bind,ro "$root/$part"; fi
    done
    mkdir "$root/proc" "$root/dev" "$root/tmp"`;
const withoutLibatomic = `
    for library in "$root"/usr/lib/*/libatomic.so.1; do
      if [ -e "$library" ]; then mount --bind /dev/null "$library"; fi
    done`;

function rootOf(folder: string, prepare: string, { env, mounts }: RootOptions): CleanRoot {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const folders = Object.entries(mounts).map(
    ([inside, outside]) => `mkdir -p "$root${inside}"; mount --bind "${outside}" "$root${inside}"`,
  );
  const script = `
    root=$1; shift
    ${prepare}
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs -o mode=1777 tmp "$root/tmp"
    ${folders.join('\n    ')}
    mount -o remount,bind,ro "$root"
    exec "$@"`;
  return {
    // The last command replaces the shell, so that signals reach the program.
    command: (...program) => [
      ...(['unshare', '--mount', 'sh', '-euc', script, 'sh', folder, 'env', '-i', ...variables] as const),
      '/usr/sbin/chroot',
      `--userspec=${unprivileged}:${unprivileged}`,
      folder,
      ...program,
    ],
  };
}
