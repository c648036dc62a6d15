const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size for people: "512 B", "4.2 MB", "48 MB". */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const shown = unit === 0 || value >= 9.95 ? Math.round(value) : Number(value.toFixed(1))
  return `${shown} ${units[unit] ?? ''}`
}
