/** How much of a limit is used. */
export function Meter({ used, limit, label }: { used: number; limit: number; label: string }) {
  const share = limit > 0 ? Math.min(1, used / limit) : 1;
  const look = share >= 1 ? 'meter-bad' : share >= 0.8 ? 'meter-warn' : '';
  return (
    <div
      className={`meter ${look}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
    >
      {used > 0 && <span style={{ width: `${share * 100}%` }} />}
    </div>
  );
}
