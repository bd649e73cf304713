/**
 * Stands where something loads, in about its shape. It appears only if that takes longer than a moment: see
 * `style/parts.css`.
 */
export function Loading({ rows = 3 }: { rows?: number }) {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">Loading…</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} class="loading-row" aria-hidden="true" />
      ))}
    </div>
  );
}
