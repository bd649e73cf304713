import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from './api/operations.ts';

type Scope = Session['scopes'][number];

export const ScopesContext = createContext<readonly Scope[]>([]);

/** Whether whoever has signed in may do what needs a scope. The server judges; this only spares a refusal. */
export function useMay(scope: Scope): boolean {
  const scopes = useContext(ScopesContext);
  return scopes.includes('admin') || scopes.includes(scope);
}
