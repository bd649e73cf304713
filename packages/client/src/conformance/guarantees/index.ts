import type { InterfaceGuarantee, Profile } from '../interface-guarantee.ts';
import { authenticationGuarantees } from './authentication.ts';
import { bodyGuarantees } from './bodies.ts';
import { httpSyntaxGuarantees } from './http-syntax.ts';
import { idempotencyGuarantees } from './idempotency.ts';
import { interfaceGuarantees } from './interface.ts';
import { pathGuarantees } from './paths.ts';
import { preconditionGuarantees } from './preconditions.ts';
import { responseGuarantees } from './responses.ts';
import { textGuarantees } from './texts.ts';
import { validationGuarantees } from './validation.ts';

/** All guarantees with the profile that they belong to. */
export const guarantees: readonly (InterfaceGuarantee & { profile: Profile })[] = [
  ...interfaceGuarantees.map((guarantee) => ({ ...guarantee, profile: 'interface' as const })),
  ...[
    ...responseGuarantees,
    ...authenticationGuarantees,
    ...pathGuarantees,
    ...bodyGuarantees,
    ...validationGuarantees,
    ...textGuarantees,
    ...preconditionGuarantees,
    ...idempotencyGuarantees,
    ...httpSyntaxGuarantees,
  ].map((guarantee) => ({ ...guarantee, profile: 'full' as const })),
];
