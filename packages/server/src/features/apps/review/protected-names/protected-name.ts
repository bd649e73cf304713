import Type from 'typebox';
import { ProtectedNameId } from '../../../../kernel/ids.ts';
import { pageParameters } from '../../../../kernel/page-parameters.ts';
import { DateTime } from '../../../../kernel/text.ts';

const Name = Type.String({ minLength: 1, maxLength: 100, format: 'app-name', examples: ['Acme'] });
const Host = Type.String({
  minLength: 1,
  maxLength: 255,
  format: 'single-line',
  description: 'The host, which is protected with its subdomains.',
  examples: ['acme.example'],
});
const DeveloperIds = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 100,
  description: 'The developers who may use it.',
});
const Note = Type.String({
  minLength: 1,
  maxLength: 500,
  format: 'single-line',
  description: 'Shown with the warning.',
  examples: ['A trademark: ask for the licence.'],
});

/** A name or host that only some developers may use (decision 28b). Its use by another one is a warning in review. */
export const ProtectedName = Type.Object(
  {
    id: ProtectedNameId,
    name: Type.Optional(Name),
    host: Type.Optional(Host),
    developerIds: DeveloperIds,
    note: Type.Optional(Note),
    createdAt: DateTime,
  },
  { $id: 'ProtectedName', description: 'A name or a host reserved for some developers.' },
);
export type ProtectedName = Type.Static<typeof ProtectedName>;

/** The request to protect either a name or a host. */
export const NewProtectedName = Type.Object(
  {
    name: Type.Optional(Name),
    host: Type.Optional(Host),
    developerIds: Type.Optional(DeveloperIds),
    note: Type.Optional(Note),
  },
  { $id: 'NewProtectedName', additionalProperties: false },
);
export type NewProtectedName = Type.Static<typeof NewProtectedName>;

/** The query of a page of them. */
export const ProtectedNameQuery = Type.Object(pageParameters, { additionalProperties: false });
