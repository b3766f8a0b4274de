/** Lines added and removed. */
export function Counts({ additions, deletions }: { additions: number; deletions: number }) {
  return (
    <>
      <span className="plus">+{additions}</span> <span className="minus">−{deletions}</span>
    </>
  );
}
