import { Option } from 'commander';
import { eventTypes } from '../../contract/event.ts';

/** The option that names types of events. */
export function typeOption(description: string): Option {
  return new Option('--type <types...>', description).choices(eventTypes);
}
