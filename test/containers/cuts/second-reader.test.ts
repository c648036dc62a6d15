import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { secondReader } from '../../../scripts/machine/ensure-second-reader.ts'
import { countedVideo } from '../../support/containers/counted-video.ts'
import { cutFilm } from '../../support/containers/cut-film.ts'
import { ffmpeg } from '../../support/containers/run-tool.ts'

const run = promisify(execFile)

it(
  'a cut in open groups of HEVC shows another decoder the same pictures',
  { tags: 'campaign' },
  async () => {
    const coding = [
      ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
      ...['-x265-params', 'log-level=error:keyint=20:bframes=3:open-gop=1:scenecut=0'],
    ]
    const source = await countedVideo({ seconds: 4, fps: 25, sound: null, coding })
    const { tools, file } = await cutFilm(source, [
      { from: 18, to: 33 },
      { from: 50, to: 60 },
    ])
    const [ours, theirs] = ['ours.raw', 'theirs.raw'].map((name) => path.join(tools.folder, name))
    await ffmpeg(['-i', file, '-pix_fmt', 'yuv420p', '-f', 'rawvideo', String(ours)])
    const decoded = ['h265parse', '!', 'libde265dec', '!', 'videoconvert']
    const written = ['video/x-raw,format=I420', '!', 'filesink', `location=${theirs}`]
    await run(secondReader, [
      ...['-q', 'filesrc', `location=${file}`, '!', 'qtdemux', '!'],
      ...[...decoded, '!', ...written],
    ])
    const pictures = await readFile(String(theirs))
    expect(pictures.length).toBe(75 * 128 * 16 * 1.5)
    expect(pictures.equals(await readFile(String(ours)))).toBe(true)
  },
)
