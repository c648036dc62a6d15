import { z } from 'zod'
import { formatCount } from '../design/formats.ts'
import type { Tone } from '../design/status-badge.tsx'

const doneWords = ['canceled', 'deleted'] as const

/** What a form has done, as the address of the next page says it: `deleted.3.1` means three deleted, one refused. */
export const doneText = z
  .string()
  .regex(new RegExp(`^(${doneWords.join('|')})\\.\\d{1,3}\\.\\d{1,3}$`))
  .transform((text) => {
    const [what, count, refused] = text.split('.')
    return {
      what: what as (typeof doneWords)[number],
      count: Number(count),
      refused: Number(refused),
    }
  })
  .optional()
  .catch(undefined)
export type Done = NonNullable<z.infer<typeof doneText>>

export function writeDone({ what, count, refused }: Done): string {
  return `${what}.${count}.${refused}`
}

const refusals: Record<Done['what'], string> = {
  canceled: 'had already ended',
  deleted: 'could not be deleted; try again',
}

export function describeDone({ what, count, refused }: Done): { tone: Tone; text: string } {
  const done = count === 0 ? '' : `${formatCount(count, 'video')} ${what}.`
  const rest = refused === 0 ? '' : `${formatCount(refused, 'video')} ${refusals[what]}.`
  const nothing = count + refused === 0 ? 'No videos were selected. Tick them first.' : ''
  const text = [done, rest, nothing].filter((part) => part !== '').join(' ')
  return { tone: count > 0 ? 'good' : 'busy', text }
}
