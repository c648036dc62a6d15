import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'
import { readOptions, wholeOption } from '../read-options.ts'
import { footages } from './footage.ts'

export type CutsSettings = {
  /** What is drawn and encoded; a longer film has it again and again. */
  drawnSeconds: number
  seconds: number
  cuts: number
  lines: number
  /** A kind of footage; all of them if undefined. */
  footage: string | undefined
  /** Parts of the names of ways to compare with; all of them if undefined. */
  ways: readonly string[] | undefined
}

const numbers = {
  seconds: { fallback: 60, min: 10, max: 3_600 },
  minutes: { fallback: 1, min: 1, max: 240 },
  cuts: { fallback: 10, min: 1, max: 200 },
  lines: { fallback: 1_080, min: 90, max: 2_160 },
} as const

export const cutsHelp = `Usage: npm run bench -- cuts [options]

Cuts three kinds of footage in five ways, one after the other: as it is stored with encoded seams and their proof, by one
encode with our own settings, by ffmpeg's trim and concat filters, by an encode at a steady rate as auto-editor makes it,
and by copying whole groups of pictures. Shows how long each takes, how much processor time, and how exact it is. Takes
about eight minutes.

  --seconds N  length of the footage (default: ${numbers.seconds.fallback})
  --minutes N  a longer film: the footage again and again, joined without encoding it
  --footage F  only this kind: camera, phone or screen
  --ways W     only these ways, comma-separated, besides 'as stored' and 'one encode': trim, steady, groups, or none
  --cuts N     how many parts are cut out (default: ${numbers.cuts.fallback})
  --lines N    height of its pictures (default: ${numbers.lines.fallback})
`

export function readCutsSettings(args: readonly string[]): CutsSettings {
  const text = { type: 'string' } as const
  const options = {
    seconds: text,
    minutes: text,
    footage: text,
    ways: text,
    cuts: text,
    lines: text,
  }
  const values = readOptions(args, options, cutsHelp)
  const drawnSeconds = wholeOption('seconds', values.seconds, numbers.seconds)
  const { minutes, footage } = values
  if (footage !== undefined && footages.every(({ name }) => name !== footage)) {
    throw new StopWithMessage(`There is no footage named ${footage}.\n\n${cutsHelp}`, 2)
  }
  return {
    drawnSeconds,
    seconds:
      minutes === undefined ? drawnSeconds : 60 * wholeOption('minutes', minutes, numbers.minutes),
    cuts: wholeOption('cuts', values.cuts, numbers.cuts),
    lines: wholeOption('lines', values.lines, numbers.lines),
    footage,
    ways: values.ways?.split(','),
  }
}
