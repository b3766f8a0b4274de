/** "0.4 s", "12 s", "3 min 5 s". */
export function Duration({ ms }: { ms: number }) {
  return <span className="number nowrap">{formatDuration(ms)}</span>;
}

function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
