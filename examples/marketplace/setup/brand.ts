import { fileURLToPath } from 'node:url';

/** What every page of the marketplace and the console of its registry shows: the one place to change it. */
export const brand = {
  name: 'Acme Marketplace',
  mark: fileURLToPath(new URL('../web/mark.svg', import.meta.url)),
  accent: '#3f57d4',
};
