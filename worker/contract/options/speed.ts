import { z } from 'zod'
import { worded } from '../answers/wording.ts'

const speeds = { least: 0.25, most: 4 } as const
const range = `Must be from ${speeds.least} to ${speeds.most}`

export const speed = worded(
  z.number().min(speeds.least, range).max(speeds.most, range),
  `a number from ${speeds.least} to ${speeds.most}`,
)
