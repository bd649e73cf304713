import Type from 'typebox';
import { LogoFileId, WorkspaceId } from '../../kernel/ids.ts';
import { orderParameter, pageOf, pageParameters, repeated } from '../../kernel/page.ts';
import { DateTime } from '../../kernel/text.ts';
import { AccessToken } from '../access/access-token.ts';
import { Name } from '../apps/app-fields.ts';
import { OperatorApp } from '../apps/app-schemas.ts';
import { OperatorDeveloper } from '../developers/developer.ts';
import { Installation } from '../installations/installation.ts';
import { Webhook } from '../webhooks/webhook.ts';

/** The order of the types. */
export const hitTypes = ['app', 'developer', 'host', 'workspace', 'installation', 'logo', 'webhook', 'token'] as const;
type HitType = (typeof hitTypes)[number];

/** What to search for. */
export const SearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 254,
      format: 'single-line',
      description:
        'Words or parts of words in the name of an app, developer or webhook, regardless of order, case and accents; part of an email address or of the host of an app; or an id, or its start.',
      examples: ['invoice'],
    }),
    type: repeated(Type.Unsafe<HitType>({ type: 'string', enum: hitTypes }), 'Only results of this type.'),
    ...orderParameter(['relevance'], 'relevance'),
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type SearchQuery = Type.Static<typeof SearchQuery>;

const hit = <Kind extends HitType, Properties extends Type.TProperties>(
  type: Kind,
  properties: Properties,
  description: string,
) => Type.Object({ type: Type.Literal(type), ...properties }, { description });

const app = OperatorApp.properties;
const AppHit = hit(
  'app',
  {
    id: app.id,
    name: Name,
    reviewStatus: app.reviewStatus,
    developerId: app.developerId,
    deletedAt: Type.Optional(
      Type.String({ ...DateTime, description: 'When it was deleted, if it is deleted and can be restored.' }),
    ),
  },
  'An app, found by its id, or by its current or approved name.',
);
const developer = OperatorDeveloper.properties;
const DeveloperHit = hit(
  'developer',
  {
    id: developer.id,
    email: developer.email,
    firstName: developer.firstName,
    lastName: developer.lastName,
    suspendedAt: developer.suspendedAt,
  },
  'A developer, found by their id, email address or name.',
);
const HostHit = hit(
  'host',
  { host: Type.String({ examples: ['login.example.com'] }) },
  'A host of the login or callback URL of an app.',
);
const WorkspaceHit = hit('workspace', { workspaceId: WorkspaceId }, 'A workspace with installations, found by its id.');
const installation = Installation.properties;
const InstallationHit = hit(
  'installation',
  { id: installation.id, appId: installation.appId, workspaceId: installation.workspaceId },
  'An installation, found by its id.',
);
const LogoHit = hit('logo', { id: LogoFileId, developerId: developer.id }, 'A logo, found by its id.');
const webhook = Webhook.properties;
const WebhookHit = hit(
  'webhook',
  { id: webhook.id, url: webhook.url, name: webhook.name },
  'A webhook, found by its id, name or URL. Only with the scope `admin`.',
);
const token = AccessToken.properties;
const TokenHit = hit(
  'token',
  { id: token.id, kind: token.kind, name: token.name },
  'An access token, found by its id. Only with the scope `admin`.',
);

/** One of what a search has found. */
const SearchHit = Type.Union(
  [AppHit, DeveloperHit, HostHit, WorkspaceHit, InstallationHit, LogoHit, WebhookHit, TokenHit],
  { $id: 'SearchHit', description: 'A search result. Later releases may add types.' },
);
export type SearchHit = Type.Static<typeof SearchHit>;

export const SearchResult = Type.Object(
  {
    ...pageOf(SearchHit, 'SearchHit').properties,
    items: Type.Array(SearchHit, {
      description: 'The best result of each type, then the second best of each, and so on.',
    }),
  },
  { $id: 'SearchHitPage', description: 'One page of the results of a search.' },
);
export type SearchResult = Type.Static<typeof SearchResult>;
