import type { IconNode } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface EmptyProps {
  icon: IconNode;
  /** Says in a sentence what there is none of. */
  text: string;
  /** What to do about it. */
  children?: ComponentChildren;
}

/** Stands where a list has nothing to show. */
export function Empty({ icon, text, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon of={icon} size={32} />
      <p class="empty-text">{text}</p>
      {children}
    </div>
  );
}
