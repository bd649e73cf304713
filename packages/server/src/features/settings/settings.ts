import Type from 'typebox';
import { RevisionTag } from '../../kernel/text.ts';

/** A setting that all processes on a database share: it is stored there, and a change has effect in all of them at once. */
interface SettingDeclaration {
  schema: Type.TSchema;
  /** Its value in a new database. */
  default: unknown;
  /** Its meaning, in the API, on the command line and in the documentation. */
  help: string;
}

/** Every such setting, declared once. */
export const settingDeclarations = {
  uniqueNames: {
    schema: Type.Boolean(),
    default: true,
    help: 'Whether app names must be unique.',
  },
  changesToApproved: {
    schema: Type.Unsafe<'live' | 'hold'>({ type: 'string', enum: ['live', 'hold'] }),
    default: 'live',
    help: 'What consumers see while a change to an approved app awaits a decision: with `live`, the current content; with `hold`, the approved content.',
  },
} as const satisfies Record<string, SettingDeclaration>;

type Declarations = typeof settingDeclarations;
export type SettingName = keyof Declarations;
export const settingNames = Object.keys(settingDeclarations) as SettingName[];

/** The value of every setting. */
export type SettingValues = { -readonly [Name in SettingName]: Type.Static<Declarations[Name]['schema']> };

/** The schema of each setting. */
const schemas = described(settingDeclarations);

/** The settings and their revision, which counts changes. */
export const Settings = Type.Object(
  { ...schemas, revision: Type.Integer({ minimum: 1 }), etag: RevisionTag },
  { $id: 'Settings', description: 'The settings shared by all processes on a database.' },
);
export type Settings = Type.Static<typeof Settings>;

/** The request to change settings. An absent one stays unchanged. */
export const SettingsUpdate = Type.Partial(
  Type.Object({
    ...schemas,
    existing: Type.Unsafe<'approve' | 'hold'>({
      type: 'string',
      enum: ['approve', 'hold'],
      description:
        'Required to set `changesToApproved` to `hold`: whether undecided changes are approved as they are now, or held.',
    }),
  }),
  { $id: 'SettingsUpdate', additionalProperties: false },
);
export type SettingsUpdate = Type.Static<typeof SettingsUpdate>;

/** Values as stored, which a newer release may have added to. */
export const StoredSettings = Type.Partial(Type.Object(schemas));

/** The defaults of all settings. */
export const settingDefaults: SettingValues = defaultsOf(settingDeclarations);

function defaultsOf(declarations: Record<string, SettingDeclaration>): SettingValues {
  const entries = Object.entries(declarations).map(([name, declaration]) => [name, declaration.default]);
  return Object.fromEntries(entries);
}

function described<Given extends Record<string, SettingDeclaration>>(
  declarations: Given,
): { -readonly [Name in keyof Given]: Given[Name]['schema'] } {
  const entries = Object.entries(declarations).map(([name, { schema, help }]) => [
    name,
    { ...schema, description: help },
  ]);
  return Object.fromEntries(entries);
}
