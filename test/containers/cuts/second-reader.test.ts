import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { secondReader } from '../../../scripts/machine/ensure-campaign-programs.ts'
import { countedVideo } from '../../support/containers/films/counted-video.ts'
import { cutFilm } from '../../support/containers/films/cut-film.ts'
import { ffmpeg } from '../../support/containers/run-tool.ts'
import { campaign } from '../../support/node/campaign.ts'

const run = promisify(execFile)

const x265 = 'log-level=error:keyint=20:bframes=3:open-gop=1:scenecut=0'
const cases = [
  {
    name: 'open groups of HEVC',
    coding: ['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', x265],
    decoder: ['h265parse', '!', 'libde265dec'],
  },
  {
    // OpenH264 holds pictures back, and drops them where other parameter sets begin.
    name: 'H.264 with several references',
    coding: ['-c:v', 'libx264', '-x264-params', 'keyint=20:bframes=0:ref=3:scenecut=0'],
    decoder: ['h264parse', '!', 'openh264dec'],
  },
]

for (const { name, coding, decoder } of cases) {
  campaign(`a cut in ${name} shows another decoder the same pictures`, async () => {
    const plain = ['-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
    const source = await countedVideo({
      ...{ seconds: 4, fps: 25, sound: null },
      coding: [...coding, ...plain],
    })
    const { tools, file } = await cutFilm(source, [
      { from: 18, to: 33 },
      { from: 50, to: 60 },
    ])
    const [ours, theirs] = ['ours.raw', 'theirs.raw'].map((raw) => path.join(tools.folder, raw))
    await ffmpeg(['-i', file, '-pix_fmt', 'yuv420p', '-f', 'rawvideo', String(ours)])
    const written = ['video/x-raw,format=I420', '!', 'filesink', `location=${theirs}`]
    await run(secondReader, [
      ...['-q', 'filesrc', `location=${file}`, '!', 'qtdemux', '!'],
      ...[...decoder, '!', 'videoconvert', '!', ...written],
    ])
    const pictures = await readFile(String(theirs))
    expect(pictures.length).toBe(75 * 128 * 16 * 1.5)
    expect(pictures.equals(await readFile(String(ours)))).toBe(true)
  })
}
