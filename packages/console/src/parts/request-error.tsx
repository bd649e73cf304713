import type { ShownError } from '../shown-error.ts';

/** The problem details of a failed request, and optionally a button to retry. */
export function RequestError({ error, retry }: { error: ShownError; retry?: () => void }) {
  return (
    <div class="error" role="alert">
      <strong>{error.title}</strong>
      <p>{error.detail}</p>
      {error.errors && (
        <ul>
          {error.errors.map(({ pointer, detail }) => (
            <li key={pointer}>
              {pointer && <code>{pointer}</code>} {detail}
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
  );
}
