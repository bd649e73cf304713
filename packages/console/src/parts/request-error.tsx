import type { ProblemError } from '../api/http-request.ts';

/** The problem details of a failed request, and optionally a button to retry. */
export function RequestError({ error: { problem }, retry }: { error: ProblemError; retry?: () => void }) {
  return (
    <div class="error" role="alert">
      <strong>{problem.title}</strong>
      <p>{problem.detail}</p>
      {problem.errors && (
        <ul>
          {problem.errors.map(({ pointer, detail }) => (
            <li key={pointer}>
              {pointer && <code>{pointer}</code>} {detail}
            </li>
          ))}
        </ul>
      )}
      {problem.requestId && (
        <p class="faint">
          Request <code>{problem.requestId}</code>
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
