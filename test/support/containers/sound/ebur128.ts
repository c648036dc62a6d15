import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Loudness and true peak of a file as ffmpeg's meter sees them, after decoding. */
export async function ebur128(file: string): Promise<{ loudness: number; truePeak: number }> {
  const measured = ['-map', '0:a', '-af', 'ebur128=peak=true', '-f', 'null', '-']
  const { stderr } = await run('ffmpeg', ['-nostdin', '-hide_banner', '-i', file, ...measured], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'))
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\S+)`).exec(summary)?.[1])
  return { loudness: read('I'), truePeak: read('Peak') }
}
