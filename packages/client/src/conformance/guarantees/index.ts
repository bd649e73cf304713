import type { InterfacePromise, Profile } from '../interface-promise.ts';
import { authenticationPromises } from './authentication.ts';
import { bodyPromises } from './bodies.ts';
import { httpSyntaxPromises } from './http-syntax.ts';
import { idempotencyPromises } from './idempotency.ts';
import { interfacePromises } from './interface.ts';
import { pathPromises } from './paths.ts';
import { preconditionPromises } from './preconditions.ts';
import { responsePromises } from './responses.ts';
import { textPromises } from './texts.ts';
import { validationPromises } from './validation.ts';

/** All promises with the profile that they belong to. */
export const promises: readonly (InterfacePromise & { profile: Profile })[] = [
  ...interfacePromises.map((promise) => ({ ...promise, profile: 'interface' as const })),
  ...[
    ...responsePromises,
    ...authenticationPromises,
    ...pathPromises,
    ...bodyPromises,
    ...validationPromises,
    ...textPromises,
    ...preconditionPromises,
    ...idempotencyPromises,
    ...httpSyntaxPromises,
  ].map((promise) => ({ ...promise, profile: 'full' as const })),
];
