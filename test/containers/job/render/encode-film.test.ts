import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { encodeFilm } from '../../../../containers/job/render/encode-film.ts'
import { divideFilm } from '../../../../containers/job/render/render-in-parts.ts'
import { renderPart } from '../../../../containers/parts/make/render-part.ts'
import { carriedBy, plannedFilm } from '../../../support/containers/films/film-parts.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'

it('encodes a divided film at the quality of its plan, although it was divided for another', async () => {
  const source = await makeVideo({ seconds: 18, size: '160x90', fps: 10, tone: null })
  const film = await renderVideo([{ file: source }], { rotate: 180, compressionQuality: 80 })
  const given: string[] = []
  const carrier = carriedBy(1, async ({ n, spec }, signal, onProgress) => {
    given.push(Object.fromEntries(spec.coding)['-crf'] ?? '')
    return { n, ...(await renderPart({ ...film.tools, signal }, spec, onProgress)) }
  })
  const planned = plannedFilm(film, carrier)
  const choice = await divideFilm(planned, film.plan)
  expect(choice).toHaveProperty('division')
  const tracks = film.plan.tracks.map(({ stream, coding }) => {
    const at = coding.indexOf('-crf')
    return { stream, coding: at < 0 ? coding : [...coding].with(at + 1, '41.5') }
  })
  const encoded = await encodeFilm(planned, { plan: { ...film.plan, tracks } }, choice)
  if (!('result' in encoded)) throw new Error('Stopped')
  const { name, plan } = encoded.result
  expect(plan.parts).toEqual({ count: 2 })
  const written = (await readFile(path.join(film.tools.folder, name))).toString('latin1')
  // x264 writes its settings into the first picture that it codes, here that of the film.
  expect(written.match(/ crf=[\d.]+/g)).toEqual([' crf=41.5'])
  expect(given).toEqual(['41.5'])
})
