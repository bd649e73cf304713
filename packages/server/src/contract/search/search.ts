import Type from 'typebox';
import { AccessToken } from '../access-token.ts';
import { Name } from '../app-fields.ts';
import { OperatorDeveloper } from '../developer.ts';
import { LogoFileId, WorkspaceId } from '../ids.ts';
import { Installation } from '../installation.ts';
import { OperatorApp } from '../operator-app.ts';
import { DateTime } from '../text.ts';
import { Webhook } from '../webhook.ts';

/** The hits of each type that a search returns. */
export const searchLimits = { default: 5, max: 20 };

/** What to search for. */
export const SearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 254,
      format: 'single-line',
      description:
        'Words of the name of an app, of a developer or of a webhook, or parts of them, regardless of case; a part of an email address or of the host of an app; or an id.',
      examples: ['invoice'],
    }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: searchLimits.max, description: 'The hits of each type: 5 by default.' }),
    ),
  },
  { additionalProperties: false },
);
export type SearchQuery = Type.Static<typeof SearchQuery>;

const hit = <Kind extends string, Properties extends Type.TProperties>(
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
      Type.String({ ...DateTime, description: 'When it was deleted, if it was and can be restored.' }),
    ),
  },
  'An app, found by its id, or by its current or approved name.',
);
const developer = OperatorDeveloper.properties;
const DeveloperHit = hit(
  'developer',
  {
    userId: developer.userId,
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
const LogoHit = hit('logo', { id: LogoFileId, developerId: developer.userId }, 'A logo, found by its id.');
const webhook = Webhook.properties;
const WebhookHit = hit(
  'webhook',
  { id: webhook.id, url: webhook.url, name: webhook.name },
  'A webhook, found by its id, name or address. Only with the scope `admin`.',
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
  { $id: 'SearchHit', description: 'One of what a search has found. Later releases may add types.' },
);
export type SearchHit = Type.Static<typeof SearchHit>;

export const SearchResult = Type.Object(
  {
    items: Type.Array(SearchHit, { description: 'By type, and the best of each type first.' }),
    more: Type.Array(Type.String(), {
      description: 'The types of which there are more hits than the limit.',
      examples: [['app']],
    }),
  },
  { $id: 'SearchResult', description: 'What a search has found.' },
);
export type SearchResult = Type.Static<typeof SearchResult>;
