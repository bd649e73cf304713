export const tokenKinds = ['developer', 'platform', 'operator'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** The permissions of an operator token (decision 29). */
export const tokenScopes = ['read', 'portal', 'review', 'install', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The other scopes that a scope includes. */
const includedScopes: Record<TokenScope, readonly TokenScope[]> = {
  read: [],
  portal: ['read'],
  review: ['read'],
  install: [],
  admin: ['read', 'portal', 'review', 'install'],
};

/** The scopes that can use the console, which shows what `read` reads. */
export const consoleScopes = tokenScopes.filter((scope) => allows([scope], 'read'));

/** Whether these scopes allow an operation that needs this one. */
export function allows(scopes: readonly TokenScope[], needed: TokenScope): boolean {
  return scopes.some((scope) => scope === needed || includedScopes[scope].includes(needed));
}

/** Whether these scopes may read the notes of reviewers. A portal may show developers all that it reads. */
export function readsNotes(scopes: readonly TokenScope[]): boolean {
  return !scopes.includes('portal');
}
