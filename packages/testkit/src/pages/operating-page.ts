import { readFile } from 'node:fs/promises';
import type { Engine } from '../engines/engines.ts';

/** A code block, under the heading of its section. */
interface Block {
  language: string;
  text: string;
}

export interface Section {
  readonly title: string;
  /** Its code blocks for a shell, PostgreSQL, nginx and so on, in the order of the page. */
  blocks(language: string): string[];
}

const programs = {
  sqlite: /^sqlite3 /m,
  postgres: /^(until )?(createdb|pg_dump|pg_restore|psql) /m,
  any: /^(curl|git) /m,
};

/** The pages of `docs` for operators. The title of each of their sections is unique. */
export const operatorPages = [
  ...['install', 'configuration', 'systemd', 'containers', 'reverse-proxy', 'postgresql', 'high-availability'],
  ...['size-and-cost', 'monitoring', 'logs', 'webhook-delivery', 'backup', 'upgrade', 'move-data', 'rotate-secrets'],
  ...['incidents', 'archive-events', 'privacy', 'troubleshooting'],
];

/** Pages of the documentation whose commands the tests execute, read as one. */
export class OperatingPage {
  readonly text: string;
  readonly sections: Section[];

  /** Reads the pages for operators, unless others are named. */
  static async read(...names: string[]): Promise<OperatingPage> {
    const pages = names.length > 0 ? names : operatorPages;
    const read = (name: string) => readFile(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8');
    return new OperatingPage((await Promise.all(pages.map(read))).join('\n'));
  }

  private constructor(text: string) {
    this.text = text;
    this.sections = text
      .split(/^## /m)
      .slice(1)
      .map((section) => ({
        title: section.split('\n', 1)[0] ?? '',
        blocks: (language: string) =>
          blocksOf(section).flatMap((block) => (block.language === language ? block.text : [])),
      }));
    const titles = this.sections.map(({ title }) => title);
    const repeated = titles.find((title, at) => titles.indexOf(title) !== at);
    if (repeated !== undefined) throw new Error(`two sections have the title "${repeated}"`);
  }

  section(title: string): Section {
    const found = this.sections.find((section) => section.title === title);
    if (!found) throw new Error(`the pages have no section "${title}"`);
    return found;
  }
}

/** Whether commands use programs of the system, so that `npm run test:system` executes them. */
export function needSystem(commands: string): boolean {
  return Object.values(programs).some((names) => names.test(commands));
}

/** Whether commands use no program of the other engine. */
export function suit(engine: Engine['name'], commands: string): boolean {
  return !programs[engine === 'postgres' ? 'sqlite' : 'postgres'].test(commands);
}

/** The environment that a block of `NAME=value` lines defines. */
export function variablesOf(block: string): Record<string, string> {
  return Object.fromEntries([...block.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

/** The settings that a block of `name = value` lines has, as in `postgresql.conf`. */
export function postgresSettingsOf(block: string): Record<string, string> {
  return Object.fromEntries([...block.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name, value]) => [name, value]));
}

/** A block with the addresses and paths of this machine. Throws if it no longer shows one that is replaced. */
export function adaptBlock(block: string, replacements: [shown: string, used: string][]): string {
  return replacements.reduce((text, [shown, used]) => {
    if (!text.includes(shown)) throw new Error(`the pages no longer show ${shown}`);
    return text.replaceAll(shown, used);
  }, block);
}

function blocksOf(section: string): Block[] {
  const blocks = section.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...blocks].map(([, language = '', text = '']) => ({ language, text }));
}
