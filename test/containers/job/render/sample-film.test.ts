import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { divideFilm } from '../../../../containers/job/render/render-in-parts.ts'
import { sampleFilm } from '../../../../containers/job/render/render-freely.ts'
import { renderPart } from '../../../../containers/parts/make/render-part.ts'
import { carriedBy, plannedFilm } from '../../../support/containers/films/film-parts.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { listed } from '../../../support/containers/run-tool.ts'

/** Rests for half of the time, and is full of noise for the other half. */
async function unevenVideo(seconds: number): Promise<string> {
  const noisy = `testsrc2=s=160x120:r=25:d=${seconds},noise=alls=40:allf=t:enable='gt(t,${seconds / 2})'`
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25']
  return makeFile('mp4', ['-f', 'lavfi', '-i', noisy, ...coding])
}

async function packetBytes(file: string): Promise<number> {
  const sizes = await listed(file, 'packet=size')
  return sizes.reduce((sum, line) => sum + Number.parseInt(line, 10), 0)
}

it('sampleFilm tells by a few pictures how large an uneven film becomes, and leaves no file', async () => {
  const seconds = 30
  const source = await unevenVideo(seconds)
  const film = await renderVideo([{ file: source }], { rotate: 180, compressionQuality: 80 })
  const planned = plannedFilm(
    film,
    carriedBy(1, async ({ n, spec }, signal, onProgress) => ({
      n,
      ...(await renderPart({ ...film.tools, signal }, spec, onProgress)),
    })),
  )
  const choice = await divideFilm(planned, film.plan)
  if (!choice || 'whole' in choice) throw new Error(choice?.whole)
  const { pictureBytes, stretches } = await sampleFilm(planned.context, film.plan, choice.division)
  const sampled = stretches.reduce((sum, { from, to }) => sum + to - from, 0)
  expect(sampled).toBeLessThan(seconds / 3)
  const whole = (await packetBytes(film.file)) / seconds
  const share = pictureBytes / sampled / whole
  expect(share).toBeGreaterThan(0.85)
  expect(share).toBeLessThan(1.15)
  const left = await readdir(film.tools.folder)
  expect(left.filter((name) => name.startsWith('part'))).toEqual([])
})
