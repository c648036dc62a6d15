import { measureLine, type LineParts, type Size } from '../scale/measure-line.ts'
import { startProgram } from './start-program.ts'

const sizes: readonly Size[] = [
  { accounts: 10, waiting: 1_000 },
  { accounts: 100, waiting: 1_000 },
  { accounts: 1_000, waiting: 1_000 },
  { accounts: 100, waiting: 10_000 },
  { accounts: 2_000, waiting: 10_000 },
  { accounts: 2_000, waiting: 100_000 },
  { accounts: 10_000, waiting: 100_000 },
]

/** Measures lines of several lengths. */
export async function tellLines(say: (line: string) => void): Promise<number> {
  // The first lines would measure the compiler.
  const parts = (await startProgram([], [])).program as unknown as LineParts
  await measureLine(parts, { accounts: 100, waiting: 5_000 })
  for (const size of sizes) {
    const { accounts, waiting, turnMs, placeMs } = await measureLine(parts, size)
    const rate = Math.floor(1000 / turnMs)
    say(
      `${waiting} jobs of ${accounts} accounts: ${turnMs.toFixed(3)} ms for a job (${rate} a second), ${placeMs.toFixed(1)} ms for a place`,
    )
  }
  return 0
}
