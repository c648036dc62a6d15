import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { countedVideo } from './counted-video.ts'
import { ffmpeg } from '../run-tool.ts'
import { aFolder } from '../tool-context.ts'

/** What tells closed captions from other user data. */
export const captionName = 'GA94'

/** A video whose pictures show their numbers, and of which some carry a text as closed captions do. */
export async function captionedVideo(
  textOf: (picture: number) => string | undefined,
): Promise<string> {
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '0']
  const spec = { seconds: 3, fps: 25, sound: null, coding: [...coding, '-g', '20'] }
  return addClosedCaptions(await countedVideo(spec), textOf)
}

/** Adds closed captions to a video of H.264 at 25 pictures a second, stored as they are shown: messages before slices. */
export async function addClosedCaptions(
  plain: string,
  textOf: (picture: number) => string | undefined,
): Promise<string> {
  const folder = await aFolder()
  const [stream, captioned, file] = ['plain.264', 'captioned.264', 'captioned.mp4'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string]
  await ffmpeg(['-i', plain, '-map', '0:v', '-c', 'copy', '-bsf:v', 'h264_mp4toannexb', stream])
  let picture = 0
  const units = unitsOf(await readFile(stream)).flatMap((unit) => {
    if (![1, 5].includes((unit[0] ?? 0) & 31)) return [unit]
    const text = textOf(picture++)
    return text === undefined ? [unit] : [messageOf(text), unit]
  })
  await writeFile(captioned, Buffer.concat(units.flatMap((unit) => [startCode, unit])))
  const both = ['-r', '25', '-f', 'h264', '-i', captioned, '-i', plain]
  await ffmpeg([...both, '-map', '0:v', '-map', '1:a?', '-c', 'copy', file])
  return file
}

const startCode = Buffer.from([0, 0, 0, 1])

function unitsOf(stream: Buffer): Buffer[] {
  const units: Buffer[] = []
  let at = stream.indexOf('000001', 0, 'hex')
  while (at >= 0) {
    const next = stream.indexOf('000001', at + 3, 'hex')
    const end = next < 0 ? stream.length : stream[next - 1] === 0 ? next - 1 : next
    units.push(stream.subarray(at + 3, end))
    at = next
  }
  return units
}

/** `user_data_registered_itu_t_t35` with as many pairs of letters as the text has. */
function messageOf(text: string): Buffer {
  const pairs = text.match(/..?/gs) ?? []
  const letters = pairs.flatMap((pair) => [0xfc, ...Buffer.from(pair.padEnd(2), 'latin1')])
  const data = [0x40 | pairs.length, 0xff, ...letters, 0xff]
  const payload = Buffer.concat([
    Buffer.from([0xb5, 0, 0x31]),
    Buffer.from(`${captionName}\u0003`, 'latin1'),
    Buffer.from(data),
  ])
  return Buffer.concat([Buffer.from([6, 4, payload.length]), payload, Buffer.from([0x80])])
}
