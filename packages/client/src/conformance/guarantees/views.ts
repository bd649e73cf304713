import { namesOf } from '../app-content.ts';
import { contentFields } from '../content-fields.ts';
import type { Expected } from '../interface-guarantee.ts';

export const absent: Expected = { is: 'absent' };
export const present: Expected = { is: 'present' };
export const string: Expected = { is: 'string' };
/** Absent or text, and never null. */
const optionalString: Expected = { optional: string };
/** A TypeID: up to 63 characters of prefix, and 26 of base32. */
export const typeId: Expected = { matches: '^[a-z](?:[a-z_]{0,61}[a-z])?_[0-7][0-9a-hjkmnp-tv-z]{25}$' };
/** ISO 8601 in UTC. */
export const datetime: Expected = { matches: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?Z$' };
export const strongTag: Expected = { matches: '^"[\\x21\\x23-\\x7e\\x80-\\xff]+"$' };
export const reviewStatus: Expected = { oneOf: ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'] };

export const developerView: Expected = {
  fields: {
    id: string,
    name: string,
    createdAt: string,
    updatedAt: string,
    reviewStatus: string,
    installationCount: { is: 'integer' },
    listingInfo: groupView('listingInfo'),
    oauthInfo: groupView('oauthInfo'),
    logoUrl: optionalString,
  },
};

export const platformView: Expected = {
  fields: {
    id: string,
    name: string,
    createdAt: string,
    updatedAt: string,
    reviewStatus: string,
    developer: { is: 'object' },
    installations: { is: 'list' },
    logoUrl: optionalString,
  },
};

export const developer: Expected = {
  fields: { userId: string, email: string, firstName: optionalString, lastName: optionalString },
};

export const installation: Expected = {
  fields: {
    id: string,
    appId: { equals: '{app}' },
    workspaceId: string,
    userId: string,
    createdAt: string,
    enabled: { is: 'boolean' },
  },
};

function groupView(group: string): Expected {
  const fields = contentFields.flatMap((field) => {
    const [name, nameInGroup] = namesOf(field);
    return name === group && nameInGroup ? [[nameInGroup, field.isOptional ? optionalString : string]] : [];
  });
  return { fields: Object.fromEntries(fields) };
}
