import Type from 'typebox';
import { UserId } from '../../kernel/ids.ts';
import { DateTime, EntityTag, optional } from '../../kernel/text.ts';
import type { DeveloperRow } from '../../storage/tables.ts';

export const PersonName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, format: 'single-line', description });

export const Email = Type.String({ minLength: 3, maxLength: 254, format: 'email', examples: ['ada@example.com'] });

/** Interface 2.6. */
export const Developer = Type.Object(
  {
    userId: Type.String({ ...UserId, description: 'The TypeID that the platform assigned to this user.' }),
    email: Email,
    firstName: Type.Optional(PersonName('First name.')),
    lastName: Type.Optional(PersonName('Last name.')),
  },
  { $id: 'Developer', description: 'The developer who publishes an app.' },
);
export type Developer = Type.Static<typeof Developer>;

const { userId: id, ...person } = Developer.properties;

/** A developer as operators see them. */
export const OperatorDeveloper = Type.Object(
  {
    id,
    ...person,
    createdAt: DateTime,
    updatedAt: DateTime,
    suspendedAt: Type.Optional(
      Type.String({ ...DateTime, description: 'When an operator suspended the developer; absent when none has.' }),
    ),
    suspensionReason: Type.Optional(Type.String()),
    etag: EntityTag,
  },
  { $id: 'OperatorDeveloper', description: 'A developer as operators see them.' },
);
export type OperatorDeveloper = Type.Static<typeof OperatorDeveloper>;

/** The request to create a developer. Without an `id` the registry generates one. */
export const NewDeveloper = Type.Object(
  {
    id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The user id on the platform. Absent: a new one.' }),
    ),
    ...person,
  },
  { $id: 'NewDeveloper', additionalProperties: false },
);
export type NewDeveloper = Type.Static<typeof NewDeveloper>;

/** The address of an erased developer. No mail reaches it: `.invalid` is a reserved domain (RFC 2606). */
export const erasedEmail = 'erased@developer.invalid';

/** Interface 2.6. */
export function developerRecord(
  developer: Pick<DeveloperRow, 'user_id' | 'email' | 'first_name' | 'last_name'>,
): Developer {
  return {
    userId: developer.user_id,
    email: developer.email,
    ...optional({ firstName: developer.first_name, lastName: developer.last_name }),
  };
}
