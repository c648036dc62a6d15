import { expect, it } from 'vitest'
import { countedVideo, shownNumbers } from '../../../support/containers/films/counted-video.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

it.each([
  { how: 'at a steady rate', options: { outputFormat: 'avi' } },
  { how: 'that is cut', options: { removeSegments: [{ startTime: 0.5, endTime: 0.7 }] } },
])(
  'shows the last picture of a film $how, also if its picture begins late',
  async ({ options }) => {
    const source = await countedVideo({ seconds: 1, fps: 25 })
    // Read from MP4, the last picture of a late track ends too soon by as much as the track is late.
    const late = ['-itsoffset', '0.021', '-i', source, '-i', source, '-map', '0:v', '-map', '1:a']
    const file = await makeFile('mp4', [...late, '-c', 'copy'])
    const { file: result } = await renderVideo([{ file }], options)
    expect((await shownNumbers(result)).at(-1)).toBe(24)
  },
)
