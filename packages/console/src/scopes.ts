import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from './session.ts';

type Scope = Session['scopes'][number];

export const ScopesContext = createContext<readonly Scope[]>([]);

/** Whether the user has a scope. The server decides; this only hides what it would refuse. */
export function useHasScope(scope: Scope): boolean {
  return hasScope(useContext(ScopesContext), scope);
}

/** Whether these scopes, with which someone may use the console, include another. */
export function hasScope(scopes: readonly Scope[], scope: Scope): boolean {
  return scope === 'read' || scopes.includes('admin') || scopes.includes(scope);
}
