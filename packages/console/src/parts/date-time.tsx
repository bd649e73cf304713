const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the zone of the user, with the exact time as tooltip. */
export function DateTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {format.format(new Date(at))}
    </time>
  );
}
