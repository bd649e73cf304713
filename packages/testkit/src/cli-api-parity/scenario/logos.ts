import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids, images } from '../seed.ts';

const { logo, text } = images;
const { noLogo } = ids;
const reason = 'It shows a foreign trademark.';

export const logos: ParityCase[] = [
  done('createLogo', cli`logo create ${logo} --developer ${ids.grace}`, {
    form: { developerId: ids.grace, image: logo },
  }),
  done('createLogo', cli`logo create ${logo} --developer ${ids.grace}`, {
    form: { developerId: ids.grace, image: logo },
  }),
  refused('createLogo developer_not_found', cli`logo create ${logo} --developer ${ids.noDeveloper}`, {
    form: { developerId: ids.noDeveloper, image: logo },
  }),
  refused('createLogo invalid_content', cli`logo create ${text} --developer ada`, {
    form: { developerId: 'ada', image: text },
  }),

  done('blockLogo', cli`logo block logo#1 --reason ${reason}`, { id: 'logo#1', body: { reason } }),
  refused('blockLogo invalid_content', cli`logo block logo#1 --reason ${''}`, { id: 'logo#1', body: { reason: '' } }),
  refused('blockLogo logo_not_found', cli`logo block ${noLogo} --reason ${reason}`, { id: noLogo, body: { reason } }),

  done('listLogos', cli`logo list --developer ${ids.grace} --limit 1`, {
    query: { developerId: ids.grace, limit: '1' },
  }),
  done('listLogos', cli`logo list --developer ${ids.grace} --cursor nextCursor`, {
    query: { developerId: ids.grace, cursor: 'nextCursor' },
  }),
  done('unblockLogo', cli`logo unblock logo#1`, { id: 'logo#1' }),
  refused('unblockLogo logo_not_found', cli`logo unblock ${noLogo}`, { id: noLogo }),
  done('deleteLogo', cli`logo delete logo#1`, { id: 'logo#1' }),
  refused('deleteLogo logo_in_use', cli`logo delete ${ids.logo}`, { id: ids.logo }),
  refused('deleteLogo logo_not_found', cli`logo delete ${noLogo}`, { id: noLogo }),

  refused('listLogos invalid_content', cli`logo list --developer ada`, { query: { developerId: 'ada' } }),
  refused('listLogos invalid_content', cli`logo list --developer ${ids.grace} --cursor x`, {
    query: { developerId: ids.grace, cursor: 'x' },
  }),
];
