import { expect, it } from 'vitest'
import { countedVideo } from '../../../support/containers/films/counted-video.ts'
import { plainImage, threeColorGif } from '../../../support/containers/films/element-files.ts'
import { hashWhole, hashWindows } from '../../../support/containers/films/film-windows.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'

const url = 'https://media.example/element'

it('windowOf makes the pictures of joined, cut and covered clips as the whole film has them', async () => {
  const clips = [
    await countedVideo({ seconds: 4, fps: '30000/1001' }),
    await countedVideo({ seconds: 3, fps: 25, firstNumber: 1000 }),
    await countedVideo({ seconds: 4, fps: 30, firstNumber: 2000, isVariable: true }),
  ]
  const elements = [
    {
      type: 'image',
      url,
      timing: { startTime: 0.5, endTime: 4 },
      size: { width: '20%' },
      effects: { fadeIn: { duration: 1 }, fadeOut: { duration: 1 } },
    },
    {
      type: 'gif',
      url,
      loop: true,
      timing: { startTime: 1.3 },
      size: { width: '20%' },
      position: { x: '60%', y: '0%' },
    },
  ]
  const files = [await plainImage('#ffffff', '32x32'), await threeColorGif()]
  const removeSegments = [
    { startTime: 0.4, endTime: 1.1 },
    { startTime: 3.3, endTime: 4.7 },
    { startTime: 8, endTime: 8.2 },
  ]
  const film = await renderVideo(
    clips.map((file) => ({ file })),
    { removeSegments, elements },
    files,
  )
  const whole = await hashWhole(film)
  expect(await hashWindows(film, [0, 31, 77, 78, 180, whole.length - 1])).toEqual(whole)
})
