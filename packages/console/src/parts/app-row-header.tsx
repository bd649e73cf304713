import type { AppSummary } from '@appregistrar/client/operator';
import { hrefOf } from '../route.ts';
import { AppLogo, logoIdIn } from './app-logo.tsx';

/** The header of a table row about an app: its logo, and its name with a link to its page. */
export function AppRowHeader({ app: { id, name, logoUrl } }: { app: AppSummary }) {
  return (
    <th scope="row">
      <div class="app">
        <AppLogo name={name} logoId={logoIdIn(logoUrl)} size={24} />
        <a href={hrefOf(['apps', id])} dir="auto">
          {name}
        </a>
      </div>
    </th>
  );
}
