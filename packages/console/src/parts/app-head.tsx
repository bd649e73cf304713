import type { OperatorApp } from '../api/operations.ts';
import { addressOf } from '../route.ts';
import { AppLogo } from './app-logo.tsx';

/** Of which app a row of a table tells: its logo and its name, which leads to its page. */
export function AppHead({ app: { id, name, logoId } }: { app: OperatorApp }) {
  return (
    <th scope="row">
      <div class="app">
        <AppLogo name={name} logoId={logoId} size={32} />
        <a href={addressOf(['apps', id])} dir="auto">
          {name}
        </a>
      </div>
    </th>
  );
}
