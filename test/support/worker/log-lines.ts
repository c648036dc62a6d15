import { vi } from 'vitest'

type Line = Record<string, unknown> & { level: string; event: string }

/** Every line that the Worker has logged since, as it was written. */
export function recordLog(): { texts: string[]; lines(): Line[] } {
  const texts: string[] = []
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...said: unknown[]) => {
      texts.push(said.join(' '))
    })
  }
  return { texts, lines: () => texts.map((text) => JSON.parse(text) as Line) }
}
