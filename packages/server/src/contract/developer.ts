import Type from 'typebox';
import { pageParameters } from './page.ts';
import { nullable } from './text.ts';

const PersonName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, format: 'single-line', description });

const UserId = Type.String({
  description: 'The TypeID that the platform assigned to this user.',
  examples: ['user_01jq3v8nbtf4mrk6d2m3wz5x7c'],
});
const Email = Type.String({ minLength: 3, maxLength: 254, format: 'email', examples: ['ada@example.com'] });

/** Interface 2.6. */
export const Developer = Type.Object(
  {
    userId: UserId,
    email: Email,
    firstName: Type.Optional(PersonName('First name.')),
    lastName: Type.Optional(PersonName('Last name.')),
  },
  { $id: 'Developer', description: 'The developer who publishes an app.' },
);
export type Developer = Type.Static<typeof Developer>;

/** The request to create a developer. Without a `userId` the registry generates one. */
export const NewDeveloper = Type.Object(
  {
    userId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    email: Email,
    firstName: Type.Optional(PersonName('First name.')),
    lastName: Type.Optional(PersonName('Last name.')),
  },
  { $id: 'NewDeveloper', additionalProperties: false },
);
export type NewDeveloper = Type.Static<typeof NewDeveloper>;

/** An absent field stays unchanged; null clears an optional one. */
export const DeveloperUpdate = Type.Object(
  {
    email: Type.Optional(Email),
    firstName: Type.Optional(nullable(PersonName('First name.'))),
    lastName: Type.Optional(nullable(PersonName('Last name.'))),
  },
  { $id: 'DeveloperUpdate', additionalProperties: false },
);
export type DeveloperUpdate = Type.Static<typeof DeveloperUpdate>;

/** A developer after erasure. */
export const ErasedDeveloper = Type.Object(
  { ...Developer.properties, tokensRevoked: Type.Integer({ minimum: 0 }) },
  { $id: 'ErasedDeveloper', description: 'A developer whose personal data was erased.' },
);
export type ErasedDeveloper = Type.Static<typeof ErasedDeveloper>;

/** The address of an erased developer. No mail reaches it: `.invalid` is a reserved domain (RFC 2606). */
export const erasedEmail = 'erased@developer.invalid';

/** The query of a page of developers. */
export const DeveloperQuery = Type.Object(pageParameters, { additionalProperties: false });
