import { hrefOf } from '../../route.ts';
import { type Command, fold, matches, runCommand } from './commands.ts';
import type { HitGroup } from './hits.ts';

/** What the list of the search box offers: a page to open, or a command to run. */
export interface SearchOption {
  name: string;
  /** What distinguishes it from others of the same name. */
  detail: string;
  open: () => void;
}

export interface OptionGroup {
  name: string;
  options: SearchOption[];
}

interface Link {
  name: string;
  href: string;
}

interface Offered {
  typed: string;
  commands: readonly Command[];
  /** Links to the sections. */
  pages: readonly Link[];
  hits: readonly HitGroup[];
}

const commandsMax = 12;

/** The options in their groups: what can be done here, where one can go, what was found, and all results. */
export function optionGroups({ typed, commands, pages, hits }: Offered): OptionGroup[] {
  const sought = typed.trim();
  const matching = commands.filter(({ name, group }) => matches(`${name} ${group}`, sought)).slice(0, commandsMax);
  const groups = [
    ...grouped(matching),
    {
      name: 'Go to',
      options: pages.filter(({ name }) => matches(name, sought)).map(({ name, href }) => linkTo(name, '', href)),
    },
    ...hits.map(({ name, hits: shown }) => ({
      name,
      options: shown.map((hit) => linkTo(hit.name, hit.detail, hit.href)),
    })),
  ].filter(({ options }) => options.length > 0);
  if (sought === '') return groups;
  return [...groups, { name: '', options: [linkTo(`All results for “${sought}”`, '', searchHref(sought))] }];
}

/** The page of all results. */
export function searchHref(text: string): string {
  return hrefOf(['search'], { q: text });
}

/**
 * The page that the text names: that of the one object or section whose name, id or address it is. Undefined for a text that
 * names several or none. A command has to be chosen: it may do what cannot be undone.
 */
export function exactHref(typed: string, links: readonly (Link & { names?: string[] })[]): string | undefined {
  const sought = fold(typed);
  const named = links.filter(({ name, names = [name] }) => names.some((text) => fold(text) === sought));
  return new Set(named.map(({ href }) => href)).size === 1 ? named[0]?.href : undefined;
}

function grouped(commands: Command[]): OptionGroup[] {
  const names = [...new Set(commands.map(({ group }) => group))];
  return names.map((name) => ({
    name,
    options: commands
      .filter(({ group }) => group === name)
      .map((command) => ({ name: command.name, detail: command.key ?? '', open: () => runCommand(command) })),
  }));
}

function linkTo(name: string, detail: string, href: string): SearchOption {
  return {
    name,
    detail,
    open: () => {
      location.hash = href;
    },
  };
}
