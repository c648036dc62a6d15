import { readOptions, wholeOption } from '../read-options.ts'

export type CutsSettings = { seconds: number; cuts: number; lines: number }

const numbers = {
  seconds: { fallback: 60, min: 10, max: 3_600 },
  cuts: { fallback: 10, min: 1, max: 200 },
  lines: { fallback: 1_080, min: 90, max: 2_160 },
} as const

export const cutsHelp = `Usage: npm run bench -- cuts [options]

Cuts three kinds of footage in four ways, one after the other: as it is stored with encoded seams and their proof, by one
encode with our own settings, by ffmpeg's trim and concat filters, and by copying whole groups of pictures. Shows how long
each takes, and how exact it is. Takes about six minutes.

  --seconds N  length of the footage (default: ${numbers.seconds.fallback})
  --cuts N     how many parts are cut out (default: ${numbers.cuts.fallback})
  --lines N    height of its pictures (default: ${numbers.lines.fallback})
`

export function readCutsSettings(args: readonly string[]): CutsSettings {
  const text = { type: 'string' } as const
  const values = readOptions(args, { seconds: text, cuts: text, lines: text }, cutsHelp)
  return {
    seconds: wholeOption('seconds', values.seconds, numbers.seconds),
    cuts: wholeOption('cuts', values.cuts, numbers.cuts),
    lines: wholeOption('lines', values.lines, numbers.lines),
  }
}
