const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time, in that of whoever looks; the exact one for who points at it. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {format.format(new Date(at))}
    </time>
  );
}
