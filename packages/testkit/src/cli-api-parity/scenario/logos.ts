import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids, images } from '../seed.ts';

const { logo, text } = images;

export const logos: ParityCase[] = [
  done('addLogo', cli`logo add ${logo} --developer ${ids.grace}`, { form: { developerId: ids.grace, image: logo } }),
  done('addLogo', cli`logo add ${logo} --developer ${ids.grace}`, { form: { developerId: ids.grace, image: logo } }),
  refused('addLogo developer_not_found', cli`logo add ${logo} --developer ${ids.noDeveloper}`, {
    form: { developerId: ids.noDeveloper, image: logo },
  }),
  refused('addLogo invalid_content', cli`logo add ${text} --developer ada`, {
    form: { developerId: 'ada', image: text },
  }),

  done('listLogos', cli`logo list --developer ${ids.grace} --limit 1`, {
    query: { developerId: ids.grace, limit: '1' },
  }),
  done('listLogos', cli`logo list --developer ${ids.grace} --cursor nextCursor`, {
    query: { developerId: ids.grace, cursor: 'nextCursor' },
  }),
  refused('listLogos invalid_content', cli`logo list --developer ada`, { query: { developerId: 'ada' } }),
  refused('listLogos invalid_content', cli`logo list --developer ${ids.grace} --cursor x`, {
    query: { developerId: ids.grace, cursor: 'x' },
  }),
];
