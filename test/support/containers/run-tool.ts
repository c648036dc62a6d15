import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs ffmpeg and returns what it wrote to stdout. */
export async function ffmpeg(args: readonly string[]): Promise<string> {
  const limits = { maxBuffer: 64 * 1024 * 1024 }
  return (await run('ffmpeg', ['-nostdin', '-v', 'error', ...args], limits)).stdout
}

type ProbedFile = {
  streams: Record<string, unknown>[]
  format: Record<string, string>
}

/** What ffprobe says, counting every picture. */
export async function probe(file: string): Promise<ProbedFile> {
  const asked = ['-show_streams', '-show_format', '-count_frames', '-of', 'json']
  return JSON.parse((await run('ffprobe', ['-v', 'error', ...asked, file])).stdout) as ProbedFile
}

/** When each picture is shown, in seconds. */
export async function frameTimes(file: string): Promise<number[]> {
  const asked = ['-select_streams', 'v:0', '-show_entries', 'frame=pts_time', '-of', 'json']
  const { stdout } = await run('ffprobe', ['-v', 'error', ...asked, file])
  const { frames } = JSON.parse(stdout) as { frames: { pts_time: string }[] }
  return frames.map((frame) => Number(frame.pts_time))
}

/** One checksum per coded packet of a stream: equal lists are equal pictures, to the bit. */
export async function packetHashes(file: string, stream: string): Promise<string[]> {
  const text = await ffmpeg(['-i', file, '-map', stream, '-c', 'copy', '-f', 'framemd5', '-'])
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => line.split(',').at(-1)?.trim() ?? '')
}

/** The mean colour of a picture at a time, as [red, green, blue]. */
export async function colorAt(file: string, seconds: number): Promise<number[]> {
  const { stdout } = await run(
    'ffmpeg',
    ['-nostdin', '-v', 'error', '-ss', String(seconds), '-i', file, '-frames:v', '1'].concat([
      '-vf',
      'scale=1:1:flags=area,format=rgb24',
      '-f',
      'rawvideo',
      '-',
    ]),
    { encoding: 'buffer' },
  )
  return [...stdout.subarray(0, 3)]
}
