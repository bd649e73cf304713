import type { Refusal } from '../api/http-request.ts';

/** What was refused, why, and how to go on: the problem details as the registry has told them. */
export function Refused({ refusal: { problem }, retry }: { refusal: Refusal; retry?: () => void }) {
  return (
    <div class="refused" role="alert">
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
