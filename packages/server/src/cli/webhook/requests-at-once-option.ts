import { Option } from 'commander';
import { defaultRequestsAtOnce } from '../../features/webhooks/webhook.ts';
import { wholeNumber } from '../options.ts';

/** The option for how many requests a receiver gets at the same time. */
export function requestsAtOnceOption(): Option {
  const description = `the maximum number of concurrent requests from each server process, 1 to 200 (default: ${defaultRequestsAtOnce})`;
  return new Option('--requests-at-once <number>', description).argParser(wholeNumber);
}
