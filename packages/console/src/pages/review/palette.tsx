import { useId, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { ListOption } from '../../parts/list-option.tsx';
import { type HitGroup, hitGroups } from '../../parts/search/hits.ts';
import { moved } from '../../parts/search/moved.ts';
import { searchedMax, useSearch } from '../../parts/search/use-search.ts';

/** Something that the palette can do or open. */
export interface Command {
  name: string;
  group: string;
  run: () => void;
}

const shownMax = 50;
const hitsOfEachType = 5;

/**
 * A list of everything that can be done or opened here, which typing narrows, and of what the search of the registry finds:
 * a combobox with a list that stays open.
 */
export function Palette({ commands, close }: { commands: Command[]; close: () => void }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const { data, isPending } = useSearch(typed);
  const hits = typed.trim() === '' || isPending ? [] : hitGroups(data?.items ?? [], hitsOfEachType).flatMap(commandsOf);
  const found = [...commands.filter((command) => matches(command, typed)).slice(0, shownMax), ...hits];
  const run = (command: Command | undefined) => {
    if (!command) return;
    close();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined && found.length > 0) setChosen(moved(chosen, move, found.length));
    else if (event.key === 'Enter') run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Command palette" onClose={close}>
      <input
        class="palette-input"
        type="text"
        role="combobox"
        aria-label="Page, app or action"
        placeholder="Page, app or action"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        autofocus
        autocomplete="off"
        maxLength={searchedMax}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <div class="palette-list" role="listbox" id={id} aria-label="Results">
        {found.map((command, at) => (
          <ListOption
            key={`${command.group} ${command.name} ${at}`}
            id={`${id}-${at}`}
            isChosen={at === chosen}
            choose={() => run(command)}
          >
            <span dir="auto">{command.name}</span> <small class="faint">{command.group}</small>
          </ListOption>
        ))}
      </div>
      <p class="faint" role="status">
        {found.length === 0 && !isPending && 'No results.'}
      </p>
    </Dialog>
  );
}

/** Opens the pages of what a search has found. */
function commandsOf({ name: group, hits }: HitGroup): Command[] {
  return hits.map(({ name, detail, href }) => ({
    name,
    group: detail === '' ? group : `${group} · ${detail}`,
    run: () => {
      location.hash = href;
    },
  }));
}

/** Every typed word is somewhere in the name or the group. */
function matches({ name, group }: Command, typed: string): boolean {
  const text = `${name} ${group}`.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
