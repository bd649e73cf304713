import { useLayoutEffect } from 'preact/hooks';

/** Something that the search box can do: on the page that is open, or by leading to another one. */
export interface Command {
  name: string;
  /** The heading that it is listed under. */
  group: string;
  /** The key that does the same, such as `A`. */
  key?: string | undefined;
  run: () => void;
}

/** Those of the page that is open. */
let ofPage: readonly Command[] = [];

/** Offers commands in the search box, as long as the page shows. Their order is that of the list. */
export function usePageCommands(commands: readonly Command[]): void {
  // Each rendering may have other ones, which do something else.
  useLayoutEffect(() => {
    ofPage = commands;
  });
  useLayoutEffect(
    () => () => {
      ofPage = [];
    },
    [],
  );
}

export function pageCommands(): readonly Command[] {
  return ofPage;
}

/** Runs a command as the page offers it now, which may be after the list was shown. Does nothing once it is gone. */
export function runCommand({ name, group }: Command): void {
  ofPage.find((command) => command.name === name && command.group === group)?.run();
}

/** Whether every word is somewhere in a text, in any order, without regard to case and accents. */
export function matches(text: string, typed: string): boolean {
  const folded = fold(text);
  return fold(typed)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

/** A text as it is compared, as the search of the registry does. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase().trim();
}
