import { Option } from 'commander';
import { eventTypes } from '../../features/events/event.ts';

/** The option for event types. */
export function typeOption(description: string): Option {
  return new Option('--type <types...>', description).choices(eventTypes);
}
