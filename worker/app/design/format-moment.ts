/** An exact time for people, in UTC: "2026-11-22 10:52:07 UTC". */
export function formatMoment(at: string): string {
  return `${at.slice(0, 19).replace('T', ' ')} UTC`
}
