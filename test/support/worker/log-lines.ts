import { vi } from 'vitest'

type Line = Record<string, unknown> & { level: string; event: string }

/** Every line that the Worker has logged since, and how often it has written: some lines are written together. */
export function recordLog(): { texts: string[]; writes(): number; lines(): Line[] } {
  const texts: string[] = []
  let writes = 0
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...said: unknown[]) => {
      writes++
      texts.push(...said.join(' ').split('\n'))
    })
  }
  return { texts, writes: () => writes, lines: () => texts.map((text) => JSON.parse(text) as Line) }
}
