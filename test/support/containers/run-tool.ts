import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs ffmpeg and returns what it wrote to stdout. */
export async function ffmpeg(args: readonly string[]): Promise<string> {
  const limits = { maxBuffer: 64 * 1024 * 1024 }
  return (await run('ffmpeg', ['-nostdin', '-v', 'error', ...args], limits)).stdout
}

/** Runs ffmpeg and returns the bytes that it wrote to stdout. */
export async function ffmpegBytes(args: readonly string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 1024 ** 3 } as const
  return (await run('ffmpeg', ['-nostdin', '-v', 'error', ...args], options)).stdout
}

/** What ffprobe lists of a file, such as `packet=size` of its first video: a line each, with commas between the values. */
export async function listed(
  file: string,
  entries: string,
  select: readonly string[] = ['-select_streams', 'v:0'],
): Promise<string[]> {
  const asked = ['-v', 'error', ...select, '-show_entries', entries, '-of', 'csv=p=0', file]
  const { stdout } = await run('ffprobe', asked, { maxBuffer: 64 * 1024 * 1024 })
  return stdout.split('\n').filter((line) => line !== '')
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
  return hashes(file, ['-map', stream, '-c', 'copy'])
}

/** Checksums of the decoded pictures, in the order in which they are shown. */
export async function pictureHashes(file: string): Promise<string[]> {
  return hashes(file, ['-map', '0:v', '-fps_mode', 'passthrough'])
}

async function hashes(file: string, how: readonly string[]): Promise<string[]> {
  const text = await ffmpeg(['-i', file, ...how, '-f', 'framemd5', '-'])
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => line.split(',').at(-1)?.trim() ?? '')
}

/** The mean colour of a picture at a time, as [red, green, blue]. */
export async function colorAt(file: string, seconds: number): Promise<number[]> {
  const pixels = await ffmpegBytes([
    ...['-ss', String(seconds), '-i', file, '-frames:v', '1'],
    ...['-vf', 'scale=1:1:flags=area,format=rgb24', '-f', 'rawvideo', '-'],
  ])
  return [...pixels.subarray(0, 3)]
}
