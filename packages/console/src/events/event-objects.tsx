import type { AppRegistryEvent } from '@appregistrar/client';
import { AppLink } from '../parts/app-link.tsx';
import { hrefOf } from '../route.ts';

/** Links to what an event concerns, other than the app of the page that shows it. */
export function EventObjects({ event, isOfPage = false }: { event: AppRegistryEvent; isOfPage?: boolean }) {
  return (
    <>
      {event.appId !== undefined && !isOfPage && <AppLink id={event.appId} />}
      {objectsOf(event).map(({ name, href }) => (
        <a key={href} href={href}>
          {name}
        </a>
      ))}
    </>
  );
}

interface LinkedObject {
  name: string;
  href: string;
}

function objectsOf({ type, appId, subjectId, data }: AppRegistryEvent): LinkedObject[] {
  const { before = {}, after = {} } = data as { before?: object; after?: object };
  const named: Record<string, unknown> = { ...before, ...after };
  const [subject = ''] = type.split('.');
  const own =
    subject in pages ? [{ name: names[subject] ?? subject, href: hrefOf([pages[subject] ?? '', subjectId]) }] : [];
  return [
    ...own,
    ...(subject === 'installation' && appId !== undefined
      ? [{ name: 'Installations', href: hrefOf(['apps', appId, 'installations']) }]
      : []),
    ...linkTo('developers', 'Developer', named.developerId),
    ...linkTo('workspaces', 'Workspace', named.workspaceId),
  ];
}

/** The sections with a page for each object of this kind. */
const pages: Record<string, string> = { developer: 'developers', token: 'tokens', webhook: 'webhooks' };
const names: Record<string, string> = { developer: 'Developer', token: 'Token', webhook: 'Webhook' };

function linkTo(section: string, name: string, id: unknown): LinkedObject[] {
  return typeof id === 'string' ? [{ name, href: hrefOf([section, id]) }] : [];
}
