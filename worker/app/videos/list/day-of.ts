const dayMs = 86_400_000

/** The browser's time zone, which a script of the page has reported; UTC until then. */
export function readZone(told: string | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: told ?? 'UTC' }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

/** "2026-11-24" */
function dateIn(zone: string, at: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at)
}

/** The name of a day: "Today", "Yesterday", "Sunday 22 November", with the year if it is not the present one. */
export function dayOf(at: number, now: number, zone: string): string {
  const date = dateIn(zone, at)
  if (date === dateIn(zone, now)) return 'Today'
  if (date === dateIn(zone, now - dayMs)) return 'Yesterday'
  const isThisYear = date.slice(0, 4) === dateIn(zone, now).slice(0, 4)
  const written = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...{ weekday: 'long', day: 'numeric', month: 'long' },
    ...(!isThisYear && { year: 'numeric' }),
  }).format(at)
  // Versions of the runtime differ in whether a comma follows the day of the week.
  return written.replace(',', '')
}
