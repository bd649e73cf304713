import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from './session.ts';

/** Who is signed in: an actor of events. */
export type Holder = Pick<Session, 'holderId' | 'name'>;

export const HolderContext = createContext<Holder>({ holderId: '' });

export function useHolder(): Holder {
  return useContext(HolderContext);
}
