import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { soonerEnvironment as env } from '../node/first-libraries.ts'
import { hashesIn } from '../../../containers/ffmpeg/picture-hashes.ts'

const run = promisify(execFile)

/** Runs ffmpeg and returns what it wrote to stdout. */
export async function ffmpeg(args: readonly string[]): Promise<string> {
  const limits = { maxBuffer: 64 * 1024 * 1024, env }
  return (await run('ffmpeg', ['-nostdin', '-v', 'error', ...args], limits)).stdout
}

/** Runs ffmpeg and returns the bytes that it wrote to stdout. */
export async function ffmpegBytes(args: readonly string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 1024 ** 3, env } as const
  return (await run('ffmpeg', ['-nostdin', '-v', 'error', ...args], options)).stdout
}

/** What ffprobe lists of a file, such as `packet=size` of its first video: a line each, with commas between the values. */
export async function listed(
  file: string,
  entries: string,
  select: readonly string[] = ['-select_streams', 'v:0'],
): Promise<string[]> {
  const asked = ['-v', 'error', ...select, '-show_entries', entries, '-of', 'csv=p=0', file]
  const { stdout } = await run('ffprobe', asked, { maxBuffer: 64 * 1024 * 1024, env })
  return stdout.split('\n').filter((line) => line !== '')
}

type ProbedFile = {
  streams: Record<string, unknown>[]
  format: Record<string, string>
}

/** What ffprobe answers to a question. */
export async function probed<Answer>(file: string, ...asked: readonly string[]): Promise<Answer> {
  const limits = { maxBuffer: 100 * 1024 * 1024, env }
  const { stdout } = await run('ffprobe', ['-v', 'error', ...asked, '-of', 'json', file], limits)
  return JSON.parse(stdout) as Answer
}

/** What ffprobe says, counting every picture. */
export async function probe(file: string): Promise<ProbedFile> {
  return probed(file, '-show_streams', '-show_format', '-count_frames')
}

/** What ffprobe says of the first stream of a kind. */
export async function probeStream(
  file: string,
  kind: 'v' | 'a' | 's',
): Promise<Record<string, string | number>> {
  const asked = ['-select_streams', `${kind}:0`, '-count_packets', '-show_streams']
  const { streams } = await probed<{ streams: Record<string, string | number>[] }>(file, ...asked)
  if (!streams[0]) throw new Error(`${file} has no such stream`)
  return streams[0]
}

/** When each picture is shown, in seconds. */
export async function frameTimes(file: string): Promise<number[]> {
  const asked = ['-select_streams', 'v:0', '-show_entries', 'frame=pts_time']
  const { frames } = await probed<{ frames: { pts_time: string }[] }>(file, ...asked)
  return frames.map((frame) => Number(frame.pts_time))
}

/** One checksum per coded packet of a stream: equal lists are equal pictures, to the bit. */
export async function packetHashes(file: string, stream: string): Promise<string[]> {
  return hashes(file, ['-map', stream, '-c', 'copy'])
}

/** The same of all coded pictures, each with its times. */
export const packetsOf = async (file: string) =>
  ffmpeg(['-i', file, '-map', '0:v', '-c', 'copy', '-f', 'framehash', '-'])

/** Checksums of the decoded pictures, in the order in which they are shown. */
export async function pictureHashes(file: string): Promise<string[]> {
  return hashes(file, ['-map', '0:v', '-fps_mode', 'passthrough'])
}

async function hashes(file: string, how: readonly string[]): Promise<string[]> {
  return hashesIn(await ffmpeg(['-i', file, ...how, '-f', 'framemd5', '-']))
}

/** The mean colour of a picture at a time, as [red, green, blue]. */
export async function colorAt(file: string, seconds: number): Promise<number[]> {
  const pixels = await ffmpegBytes([
    ...['-ss', String(seconds), '-i', file, '-frames:v', '1'],
    ...['-vf', 'scale=1:1:flags=area,format=rgb24', '-f', 'rawvideo', '-'],
  ])
  return [...pixels.subarray(0, 3)]
}
