import { writeFile } from 'node:fs/promises'
import type { Command, Typed } from '../arguments/command.ts'
import { switchFlag, textFlag } from '../arguments/flag.ts'
import { UsageError } from '../session/command-error.ts'
import type { Session } from '../session/session.ts'
import { alreadyThere } from '../transfer/output-file.ts'

const formats = ['srt', 'vtt', 'txt'] as const

export const transcript: Command = {
  name: 'transcript',
  summary: 'Print what is said in a video that was made with --enable-transcription',
  about: ['Without a format, the plain text. --json has the time of every word.'],
  positionals: { name: 'VIDEO_ID', least: 1, most: 1 },
  flags: [
    switchFlag('srt', 'Captions as SubRip, for players and editors'),
    switchFlag('vtt', 'Captions as WebVTT, for pages'),
    switchFlag('txt', 'The plain text'),
    textFlag('output', 'FILE', 'Write to a file', { short: 'o' }),
    switchFlag('force', 'Replace the file if it exists', { short: 'f' }),
  ],
  examples: {
    'Captions for a player': 'spool transcript v_3RB6SiNw --srt -o talk.srt',
    'The first words with their times': `spool transcript v_3RB6SiNw --json | jq '.segments[0].words'`,
  },
  run: printTranscript,
}

async function printTranscript(given: Typed, session: Session): Promise<void> {
  const text = await readText(given, session)
  const output = given.text('output')
  if (output === undefined || output === '-') {
    session.screen.printFile(text.replace(/\n+$/, ''))
    return
  }
  await writeFile(output, text, { flag: given.isOn('force') ? 'w' : 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? alreadyThere(output) : error
    },
  )
  session.screen.note(`${session.screen.mark('good')} Saved ${output}`)
}

async function readText(given: Typed, session: Session): Promise<string> {
  const { common, signal } = session
  const asked = formats.filter((format) => given.isOn(format))
  if (asked.length > 1)
    throw new UsageError(`Only one of ${asked.map((one) => `--${one}`).join(', ')}.`)
  const { transcripts } = await session.spool()
  if (!common.json) return transcripts.file(given.first, asked[0] ?? 'txt', { signal })
  const [format] = asked
  if (format) throw new UsageError(`--json and --${format} exclude each other.`)
  return JSON.stringify(await transcripts.segments(given.first, { signal }), null, 2)
}
