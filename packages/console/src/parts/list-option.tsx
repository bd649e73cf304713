import type { ComponentChildren } from 'preact';

interface ListOptionProps {
  id: string;
  isChosen: boolean;
  choose: () => void;
  children: ComponentChildren;
}

/** An option of a list box, whose field handles the keyboard and keeps the focus. */
export function ListOption({ id, isChosen, choose, children }: ListOptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      ref={(option) => {
        if (isChosen) option?.scrollIntoView({ block: 'nearest' });
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      {children}
    </div>
  );
}
