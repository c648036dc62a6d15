const steps = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3600 },
  { unit: 'min', seconds: 60 },
] as const

/** How long ago, or how soon: "just now", "3 min ago", "in 2 h", and the date after a month. */
export function formatAge(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1000)
  const distance = Math.abs(seconds)
  if (distance < 45) return seconds >= 0 ? 'just now' : 'in a moment'
  if (distance >= 30 * 86_400) return new Date(at).toISOString().slice(0, 10)
  const { unit, seconds: one } = steps.find((step) => distance >= step.seconds) ?? steps[2]
  const amount = `${Math.max(1, Math.floor(distance / one))} ${unit}`
  return seconds >= 0 ? `${amount} ago` : `in ${amount}`
}
