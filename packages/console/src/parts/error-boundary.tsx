import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { shownError } from '../shown-error.ts';
import { RequestError } from './request-error.tsx';

/** Shows the error of a page that cannot be rendered. The rest of the console keeps working. */
export function ErrorBoundary({ children }: { children: ComponentChildren }) {
  const [failure, retry] = useErrorBoundary();
  if (failure !== undefined) return <RequestError error={shownError(failure)} retry={retry} />;
  return <>{children}</>;
}
