import Type from 'typebox';

/** How many ids of each kind are listed. */
export const affectedListedMax = 100;

const AffectedObjects = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  ids: Type.Array(Type.String(), { maxItems: affectedListedMax, description: 'The first 100.' }),
});

/** What an operation concerns. */
export const Affected = Type.Object(
  { apps: AffectedObjects, installations: AffectedObjects, workspaces: AffectedObjects, tokens: AffectedObjects },
  { $id: 'Affected', description: 'The objects that the operation affects, as they were before.' },
);
export type Affected = Type.Static<typeof Affected>;

/** The query parameter of an operation that can be tried. */
export const dryRunQuery = {
  dryRun: Type.Optional(
    Type.Boolean({
      description:
        'Runs the whole operation without changing anything, and adds the affected objects to the response (`affected`).',
    }),
  ),
};

const dryRunResult = { dryRun: Type.Optional(Type.Literal(true)), affected: Type.Optional(Affected) };
export type DryRunResult = { dryRun?: true; affected?: Affected };

export const DryRunQuery = Type.Object(dryRunQuery, { additionalProperties: false });

/** The response of an operation that can be tried. */
export function orDryRun<Properties extends Type.TProperties>(response: Type.TObject<Properties>, name: string) {
  const properties: Properties & typeof dryRunResult = { ...response.properties, ...dryRunResult };
  return Type.Object(properties, {
    $id: `${name}OrDryRun`,
    description: 'The result. With `dryRun`, the result that the operation would have, with the affected objects.',
  });
}
