import { CircleAlert } from 'lucide';
import { labelOf } from '../content.ts';
import type { ShownError } from '../shown-error.ts';
import { Icon } from './icon.tsx';

/** What went wrong and what to do, and optionally a button to retry. */
export function RequestError({ error, retry }: { error: ShownError; retry?: () => void }) {
  return (
    <div class="error" role="alert">
      <Icon of={CircleAlert} size={20} />
      <div>
        <strong>{error.title}</strong>
        <p>{error.detail}</p>
        {error.errors && (
          <ul>
            {error.errors.map(({ parameter, pointer, detail }) => (
              <li key={pointer ?? parameter}>
                {pointer && <FieldName pointer={pointer} />}
                {parameter && <code>{parameter}</code>} {detail}
              </li>
            ))}
          </ul>
        )}
        {error.requestId && (
          <p class="faint">
            Request <code>{error.requestId}</code>
          </p>
        )}
        {retry && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

/** A field by its label, or by its JSON Pointer where the console has none for it. */
function FieldName({ pointer }: { pointer: string }) {
  const path = pointer.slice(1).replaceAll('/', '.');
  const label = labelOf(path);
  return label === path ? <code>{pointer}</code> : <strong>{label}:</strong>;
}
