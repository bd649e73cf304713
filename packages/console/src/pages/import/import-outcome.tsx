import type { ImportResult } from '@appregistrar/client/operator';

const kinds = { developers: 'Developers', logos: 'Logos', apps: 'Apps', installations: 'Installations' } as const;

/** What an import has stored or would store, and the errors of the file by line. */
export function ImportOutcome({ result }: { result: ImportResult }) {
  const { dryRun, errors, recordsRefused } = result;
  return (
    <>
      <p>
        <strong>{outcomeText(result)}</strong>
      </p>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Objects</th>
            <th scope="col">Created</th>
            <th scope="col">Updated</th>
            <th scope="col">Unchanged</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(kinds).map(([kind, name]) => {
            const { created, updated, unchanged } = result[kind as keyof typeof kinds];
            return (
              <tr key={kind}>
                <th scope="row">{name}</th>
                <td data-label="Created">{created.toLocaleString()}</td>
                <td data-label="Updated">{updated.toLocaleString()}</td>
                <td data-label="Unchanged">{unchanged.toLocaleString()}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {dryRun && recordsRefused > 0 && <h3>Errors in {recordsText(recordsRefused)}</h3>}
      {errors.length > 0 && <ErrorTable errors={errors} />}
    </>
  );
}

function outcomeText({ dryRun, recordsRefused }: ImportResult): string {
  if (!dryRun) return 'The file was imported.';
  return recordsRefused === 0
    ? 'The file has no errors. Nothing was stored yet.'
    : 'Correct the file and choose it again. Nothing was stored.';
}

function recordsText(count: number): string {
  return count === 1 ? 'one record' : `${count.toLocaleString()} records`;
}

function ErrorTable({ errors }: { errors: ImportResult['errors'] }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Lines</th>
          <th scope="col">Field</th>
          <th scope="col">Error</th>
        </tr>
      </thead>
      <tbody>
        {errors.map(({ line, lines, count, column, pointer, code, detail }) => (
          <tr key={`${line} ${pointer} ${code} ${detail}`}>
            <th scope="row">
              {lines.join(', ')}
              {count > lines.length && ` and ${(count - lines.length).toLocaleString()} more`}
            </th>
            <td data-label="Field">
              <bdi>{column ?? (pointer === '' ? 'The record' : pointer.slice(1).replaceAll('/', '.'))}</bdi>
            </td>
            <td data-label="Error" dir="auto">
              {detail}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
