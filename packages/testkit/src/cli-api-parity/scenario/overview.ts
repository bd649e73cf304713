import { cli, done, type Line } from '../line.ts';

export const overview: Line[] = [done('showOverview', cli`overview`)];
