import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userEnvironment } from '@appregistrar/testkit/programs/packed-package';
import { Program } from '@appregistrar/testkit/programs/program';
import { execute } from '../execute.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const person = { NAME: 'Ada', EMAIL: 'ada@example.com' };
const people = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
  Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
);

/** A clone of the commit that is checked out here, to make releases of. */
export class ClonedRepository {
  readonly folder: string;

  static async create(): Promise<ClonedRepository> {
    const folder = await mkdtemp(join(tmpdir(), 'released-'));
    execute(['git', 'clone', '--quiet', repository, folder], { cwd: repository });
    const clone = new ClonedRepository(folder);
    clone.git('checkout', '--quiet', '-B', 'main');
    return clone;
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  get version(): string {
    return JSON.parse(this.read('packages/server/package.json')).version;
  }

  /** A version that is greater by some minor versions. */
  later(by: number): string {
    const [major, minor = 0] = this.version.split('.').map(Number);
    return `${major}.${minor + by}.0`;
  }

  git(...args: string[]): string {
    return execute(['git', '-C', this.folder, ...args], { cwd: this.folder, env: Object.fromEntries(people) });
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** Commits a change with a changelog entry. */
  change(line: string): void {
    this.write('CHANGELOG.md', this.read('CHANGELOG.md').replace('[Unreleased]\n', `[Unreleased]\n\n- ${line}\n`));
    this.commit(line);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  append(file: string, text: string): void {
    appendFileSync(join(this.folder, file), text);
  }

  commit(message: string): void {
    this.git('commit', '--quiet', '--all', `--message=${message}`);
  }

  /** Runs the release script of the clone. */
  release(...args: string[]) {
    const env = { ...userEnvironment, ...Object.fromEntries(people) };
    return Program.run([process.execPath, 'scripts/release.ts', ...args], { env, cwd: this.folder });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
