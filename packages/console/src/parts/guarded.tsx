import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { asRefusal } from '../use-request.ts';
import { Refused } from './refused.tsx';

/** A page that cannot be shown says so, and the rest of the console goes on. */
export function Guarded({ children }: { children: ComponentChildren }) {
  const [fault, tryAgain] = useErrorBoundary();
  if (fault !== undefined) return <Refused refusal={asRefusal(fault)} retry={tryAgain} />;
  return <>{children}</>;
}
