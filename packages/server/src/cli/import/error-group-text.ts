import type { ErrorExample, ImportErrorGroup } from '../../features/import-export/import-record-schema.ts';

const shownMax = 5;

/** The records of an error besides the first, for people. Empty for other errors. */
export function otherRecords({
  count = 1,
  examples = [],
}: Partial<Pick<ImportErrorGroup, 'count' | 'examples'>>): string {
  if (examples.length === 0) return '';
  const shown = examples.slice(0, shownMax);
  const described = shown.map((example, at) => describe(example, at)).filter((text) => text !== '');
  const rest = count - shown.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  const parts = [...described, ...more];
  return parts.length === 0 ? '' : ` (${count > 1 ? `${count} times: ` : ''}${parts.join('; ')})`;
}

/** The line of the first one is known already. */
function describe({ line, value, clashesWith }: ErrorExample, at: number): string {
  const parts = [
    ...(at === 0 ? [] : [`line ${line}`]),
    ...(value === undefined ? [] : [JSON.stringify(value)]),
    ...(clashesWith ? [`see ${clashText(clashesWith)}`] : []),
  ];
  return parts.join(' ');
}

function clashText({ id, file, line }: NonNullable<ErrorExample['clashesWith']>): string {
  if (line === undefined) return `${id}, which was here before`;
  return `${file === undefined ? '' : `${file} `}line ${line}`;
}
