import { StopWithMessage } from '../machine/stop-with-message.ts'

const steps = ['major', 'minor', 'patch'] as const

/** The version that is wished for: a step from the present one, or a version by itself, which must not be lower. */
export function nextVersion(present: string, wish: string): string {
  const from = partsOf(present)
  if (!from) throw new StopWithMessage(`package.json has no version like 1.2.3 but ${present}`, 2)
  const step = steps.findIndex((name) => name === wish)
  if (step >= 0)
    return from.map((part, i) => (i < step ? part : i === step ? part + 1 : 0)).join('.')
  const to = partsOf(wish)
  if (!to)
    throw new StopWithMessage(`${wish} is not major, minor, patch or a version like 1.2.3`, 2)
  if (compare(to, from) < 0) throw new StopWithMessage(`${wish} is below the present ${present}`, 2)
  return wish
}

function partsOf(version: string): number[] | undefined {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) return undefined
  return version.split('.').map(Number)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const [difference = 0] = a.map((part, i) => part - (b[i] ?? 0)).filter((part) => part !== 0)
  return difference
}
