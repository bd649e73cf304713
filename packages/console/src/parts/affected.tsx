import type { Affected as AffectedObjects } from '@appregistrar/client/operator';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';
import { RequestError } from './request-error.tsx';

type Kind = keyof AffectedObjects;

const nouns: Record<Kind, [one: string, several: string]> = {
  apps: ['app', 'apps'],
  installations: ['installation', 'installations'],
  workspaces: ['workspace', 'workspaces'],
  tokens: ['token', 'tokens'],
};
/** The kinds whose objects have a page. */
const pages: Partial<Record<Kind, string>> = { apps: 'apps', workspaces: 'workspaces' };

/** What an operation would affect, from its dry run. */
export function Affected({ dryRun }: { dryRun: (signal: AbortSignal) => Promise<{ affected?: AffectedObjects }> }) {
  const { data, error, reload } = useRequest(dryRun, []);
  if (error) return <RequestError error={error} retry={reload} />;
  const kinds = Object.keys(nouns) as Kind[];
  const affected = data?.affected;
  const present = affected ? kinds.filter((kind) => affected[kind].count > 0) : [];
  return (
    <div class="affected" role="status">
      {affected === undefined && 'Counting what this affects…'}
      {affected && present.length === 0 && 'This affects no apps, installations or tokens.'}
      {affected && present.length > 0 && 'This affects:'}
      {affected && (
        <ul>
          {present.map((kind) => (
            <AffectedKind key={kind} kind={kind} objects={affected[kind]} />
          ))}
        </ul>
      )}
    </div>
  );
}

function AffectedKind({ kind, objects: { count, ids } }: { kind: Kind; objects: AffectedObjects[Kind] }) {
  const [one, several] = nouns[kind];
  const page = pages[kind];
  return (
    <li>
      <details>
        <summary>
          {count.toLocaleString()} {count === 1 ? one : several}
        </summary>
        <ul>
          {ids.map((id) => (
            <li key={id}>{page ? <a href={hrefOf([page, id])}>{id}</a> : <code>{id}</code>}</li>
          ))}
        </ul>
        {count > ids.length && <p class="hint">The first {ids.length} are listed.</p>}
      </details>
    </li>
  );
}
