import type { ImportFile, ImportResult } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { createOnce } from '../../create-once.ts';
import { operator } from '../../operator.ts';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { type CsvHeader, readCsvHeader } from './csv-header.ts';
import { ImportOutcome } from './import-outcome.tsx';
import { type Columns, type CsvKind, CsvMapping, kindOfFile, mappingOf, suggestedColumns } from './mapping.tsx';

const breadcrumbs = [{ name: 'Apps', href: hrefOf(['apps']) }];
/** The registry accepts no more over HTTP. */
const fileBytesMax = 4 * 1_048_576;
/** A header is no longer. */
const headerBytes = 65_536;

interface Chosen {
  file: File;
  /** Undefined for JSON Lines. */
  header: CsvHeader | undefined;
}

/** Imports a file: its columns are mapped, a dry run shows its errors by line, and then it is imported. */
export function ImportPage() {
  const [chosen, setChosen] = useState<Chosen>();
  const canImport = useHasScope('admin');
  return (
    <Page title="Import" breadcrumbs={breadcrumbs}>
      {canImport ? (
        <>
          <ChooseFile onChoose={setChosen} />
          {chosen && <ImportChosen key={`${chosen.file.name} ${chosen.file.lastModified}`} chosen={chosen} />}
        </>
      ) : (
        <p>An import requires a token with the scope “admin”.</p>
      )}
    </Page>
  );
}

function ChooseFile({ onChoose }: { onChoose: (chosen: Chosen | undefined) => void }) {
  const [isOver, setOver] = useState(false);
  const [tooLarge, setTooLarge] = useState<string>();
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const isTooLarge = file.size > fileBytesMax;
    setTooLarge(isTooLarge ? file.name : undefined);
    if (isTooLarge) return onChoose(undefined);
    const isCsv = /\.(csv|tsv)$/i.test(file.name);
    onChoose({ file, header: isCsv ? readCsvHeader(await file.slice(0, headerBytes).text()) : undefined });
  };
  return (
    <>
      <label
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void choose(event.dataTransfer?.files[0]);
        }}
      >
        Drop a file here or choose one: CSV or JSON Lines, up to 4 MiB
        <input
          type="file"
          accept=".csv,.tsv,.jsonl,.ndjson,.json"
          onChange={({ currentTarget }) => {
            void choose(currentTarget.files?.[0]);
            // So that the same file can be chosen again after it was corrected.
            currentTarget.value = '';
          }}
        />
      </label>
      {tooLarge && (
        <p class="error" role="alert">
          <bdi>{tooLarge}</bdi> is larger than 4 MiB. Import it on the command line: <code>app-registry import</code>.
        </p>
      )}
    </>
  );
}

function ImportChosen({ chosen: { file, header } }: { chosen: Chosen }) {
  const [kind, setKind] = useState<CsvKind>(() => kindOfFile(file.name));
  const [columns, setColumns] = useState<Columns>(() => (header ? suggestedColumns(kind, header) : {}));
  const [idNamespace, setNamespace] = useState('');
  const [result, setResult] = useState<ImportResult>();
  const { isPending, error, run } = useAction();
  // What was tried is not what would be imported any more.
  const change = (apply: () => void) => {
    setResult(undefined);
    apply();
  };
  const send = (dryRun: boolean) =>
    run(async () => {
      const body = {
        ...bodyOf({ file, header, kind, columns, idNamespace }),
        dryRun: dryRun ? 'true' : 'false',
      } as const;
      const what = ['import', file.name, file.size, file.lastModified, { ...body, file: undefined }];
      setResult(
        dryRun ? await operator.imports.run(body) : await createOnce(what, (to) => operator.imports.run(body, to)),
      );
    });
  const isReady = result?.dryRun === true && result.errors.length === 0;
  return (
    <section class="import" aria-labelledby="file">
      <h2 id="file">
        <bdi>{file.name}</bdi>
      </h2>
      {header && (
        <CsvMapping
          header={header}
          kind={kind}
          columns={columns}
          idNamespace={idNamespace}
          onKind={(next) =>
            change(() => {
              setKind(next);
              setColumns(suggestedColumns(next, header));
            })
          }
          onColumns={(next) => change(() => setColumns(next))}
          onNamespace={(next) => change(() => setNamespace(next))}
        />
      )}
      <div class="choices">
        <button type="button" class={isReady ? '' : 'primary'} disabled={isPending} onClick={() => send(true)}>
          Try without importing
        </button>
        <button
          type="button"
          class={isReady ? 'primary' : ''}
          disabled={isPending || !isReady}
          onClick={() => send(false)}
        >
          Import
        </button>
      </div>
      <div class="import-status" role="status">
        {isPending && <progress aria-label={isReady ? 'Importing' : 'Checking the file'} />}
        {result && !isPending && <ImportOutcome result={result} />}
      </div>
      {error && <RequestError error={error} />}
    </section>
  );
}

interface Given extends Chosen {
  kind: CsvKind;
  columns: Columns;
  idNamespace: string;
}

function bodyOf({ file, header, kind, columns, idNamespace }: Given): ImportFile {
  if (!header) return { file };
  return {
    file,
    kind,
    delimiter: header.delimiter as NonNullable<ImportFile['delimiter']>,
    mapping: mappingOf(kind, columns),
    ...(idNamespace !== '' && { idNamespace }),
  };
}
