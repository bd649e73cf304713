import type { Column, sequence } from './column.ts';
import { appContent, tables } from './table-columns.ts';

/** What a row of a table holds. */
type RowOf<Table> = {
  -readonly [Name in keyof Table as Table[Name] extends Column<unknown> ? Name : never]: Table[Name] extends Column<
    infer Value
  >
    ? Value
    : never;
};

export type Tables = { [Table in keyof typeof tables]: RowOf<(typeof tables)[Table]> };
export type AppContent = RowOf<typeof appContent>;
export type DeveloperRow = Tables['developers'];
export type AppRow = Tables['apps'];
export type InstallationRow = Tables['installations'];
export type LogoRow = Tables['logos'];
export type AccessTokenRow = Tables['access_tokens'];
export type EventRow = Tables['events'];
export type DeletedAppRow = Tables['deleted_apps'];
export type DecisionRow = Tables['decisions'];
export type PendingProjectionRow = Tables['pending_projections'];
export type SearchTextRow = Tables['search_texts'];
export type ComparisonKeyRow = Tables['app_comparison_keys'];
export type ProtectedNameRow = Tables['protected_names'];
/** Of `review_presence` too. */
export type ReviewClaimRow = Tables['review_claims'];
export type ReviewNoteRow = Tables['review_notes'];
export type ReasonTemplateRow = Tables['reason_templates'];
export type IdempotencyKeyRow = Tables['idempotency_keys'];
export type EventArchiveRow = Tables['event_archives'];
export type WebhookRow = Tables['webhooks'];
export type DeliveryRow = Tables['deliveries'];
export type DeliveryRequestRow = Tables['delivery_requests'];
export type DailyCountsRow = Tables['daily_counts'];
export type WeeklyInstallationsRow = Tables['weekly_installations'];
export type CountedEventsRow = Tables['counted_events'];
export type ClockObservationRow = Tables['clock_observations'];
export type SettingsRow = Tables['settings'];
export type SchemaVersionRow = Tables['registry_schema'];

/** The columns of `AppContent`. */
export const contentColumns = Object.keys(appContent) as (keyof AppContent)[];

/**
 * The columns of each table's rows; the first is the key. Queries name them, never `*`: a newer release may
 * add columns while this one runs.
 */
export const columns = Object.fromEntries(
  Object.entries<Record<string, { isRead: boolean }>>(tables).map(([table, row]): [string, readonly string[]] => [
    table,
    Object.keys(row).filter((name) => row[name]?.isRead),
  ]),
) as { [Table in keyof Tables]: ColumnsOf<Tables[Table]> };

/** A table whose rows the database numbers. */
export type SequencedTable = {
  [Table in keyof typeof tables]: (typeof tables)[Table] extends { position: typeof sequence } ? Table : never;
}[keyof typeof tables];

export const sequencedTables = Object.entries(tables).flatMap(([table, row]) =>
  'position' in row && 'isSequence' in row.position ? [table as SequencedTable] : [],
);

type ColumnsOf<Row> = readonly [keyof Row & string, ...(keyof Row & string)[]];
