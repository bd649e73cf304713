import {
  type AppContentField,
  appContentFields,
  type ContentKind,
  contentUnderPaths,
  isOptional,
} from '../../../../server/src/features/apps/app-content-fields.ts';
import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

/** A value of each kind; a case gives its own name. */
const values: Record<ContentKind, string | undefined> = {
  name: undefined,
  logo: ids.logo,
  line: 'Short.',
  lines: 'Long.\nLonger.',
  colour: '#123',
  url: 'https://new.example/in',
};
const givenFields = appContentFields.filter(({ kind }) => values[kind] !== undefined);
const optionOf = ({ column }: AppContentField) => column.replaceAll('_', '-');

const everyField = {
  options: givenFields.flatMap((field) => [`--${optionOf(field)}`, values[field.kind] ?? '']),
  body: contentUnderPaths<never>(({ kind }) => values[kind]),
};
const noField = {
  options: givenFields.filter(isOptional).map((field) => `--no-${optionOf(field)}`),
  body: contentUnderPaths<null>((field) => (isOptional(field) ? null : undefined)),
};
const invalid = {
  options: cli`--short-description ${'a\nb'} --background-color red --login-url http://new.example/`,
  body: {
    listingInfo: { shortDescription: 'a\nb', backgroundColor: 'red' },
    oauthInfo: { loginUrl: 'http://new.example/' },
  },
};

export const apps: ParityCase[] = [
  done('createApp', cli`app create --developer ${ids.grace} --name Plain`, {
    body: { developerId: ids.grace, name: 'Plain' },
  }),
  done('createApp', cli`app create --developer ${ids.ada} --name Complete ${everyField.options}`, {
    body: { developerId: ids.ada, name: 'Complete', ...everyField.body },
  }),
  refused('createApp developer_not_found', cli`app create --developer ${ids.noDeveloper} --name New`, {
    body: { developerId: ids.noDeveloper, name: 'New' },
  }),
  refused('createApp name_taken', cli`app create --developer ${ids.ada} --name PLAIN`, {
    body: { developerId: ids.ada, name: 'PLAIN' },
  }),
  refused('createApp invalid_content', cli`app create --developer ${ids.ada} --name ${' '} ${invalid.options}`, {
    body: { developerId: ids.ada, name: ' ', ...invalid.body },
  }),
  refused('createApp invalid_content', cli`app create --developer ${ids.grace} --name New --logo-id ${ids.logo}`, {
    body: { developerId: ids.grace, name: 'New', logoId: ids.logo },
  }),

  done('listApps', cli`app list --limit 3`, { query: { limit: '3' } }),
  done('listApps', cli`app list --limit 3 --cursor nextCursor`, { query: { limit: '3', cursor: 'nextCursor' } }),
  done('listApps', cli`app list --status APPROVED --developer ${ids.ada} --name app`, {
    query: { status: 'APPROVED', developerId: ids.ada, name: 'app' },
  }),
  done('listApps', cli`app list --changed-since-approval`, { query: { changedSinceApproval: 'true' } }),
  done('listApps', cli`app list --no-changed-since-approval`, { query: { changedSinceApproval: 'false' } }),
  done('listApps', cli`app list --sort -name --with-total`, { query: { sort: '-name', withTotal: 'true' } }),
  done('listApps', cli`app list --host example`, { query: { host: 'example' } }),
  done('listApps', cli`app list --host new.example --status DRAFT`, {
    query: { host: 'new.example', status: 'DRAFT' },
  }),
  done('listApps', cli`app list --ids ${`${ids.draft},${ids.noApp},${ids.approved}`}`, {
    query: { ids: `${ids.draft},${ids.noApp},${ids.approved}` },
  }),
  refused('listApps invalid_content', cli`app list --ids ${ids.draft} --sort name`, {
    query: { ids: ids.draft, sort: 'name' },
  }),
  refused('listApps invalid_content', cli`app list --host new.example/in`, { query: { host: 'new.example/in' } }),
  refused('listApps invalid_content', cli`app list --name ${''} --limit 0`, { query: { name: '', limit: '0' } }),
  refused('listApps invalid_content', cli`app list --developer ada`, { query: { developerId: 'ada' } }),

  done('getAppAsOperator', cli`app get ${ids.changed}`, { id: ids.changed }),
  refused('getAppAsOperator app_not_found', cli`app get ${ids.noApp}`, { id: ids.noApp }),
  refused('getAppAsOperator app_not_found', cli`app get app`, { id: 'app' }),

  done('updateAppAsOperator', cli`app update ${ids.draft} --name Drafted ${everyField.options}`, {
    id: ids.draft,
    body: { name: 'Drafted', ...everyField.body },
  }),
  done('updateAppAsOperator', cli`app update ${ids.draft} --revision 2 ${noField.options}`, {
    id: ids.draft,
    revision: 2,
    body: noField.body,
  }),
  refused('updateAppAsOperator precondition_failed', cli`app update ${ids.draft} --name X --revision 2`, {
    id: ids.draft,
    revision: 2,
    body: { name: 'X' },
  }),
  refused('updateAppAsOperator app_not_found', cli`app update ${ids.noApp} --name X`, {
    id: ids.noApp,
    body: { name: 'X' },
  }),
  refused('updateAppAsOperator app_under_review', cli`app update ${ids.awaiting} --name X`, {
    id: ids.awaiting,
    body: { name: 'X' },
  }),
  refused('updateAppAsOperator name_taken', cli`app update ${ids.draft} --name plain`, {
    id: ids.draft,
    body: { name: 'plain' },
  }),
  refused('updateAppAsOperator invalid_content', cli`app update ${ids.draft} --name ${''} ${invalid.options}`, {
    id: ids.draft,
    body: { name: '', ...invalid.body },
  }),
  refused('updateAppAsOperator invalid_content', cli`app update ${ids.draft} --logo-id ${ids.noLogo}`, {
    id: ids.draft,
    body: { logoId: ids.noLogo },
  }),
];
