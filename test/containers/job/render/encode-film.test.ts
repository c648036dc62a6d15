import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { encodeFilm } from '../../../../containers/job/render/encode-film.ts'
import { divideFilm } from '../../../../containers/job/render/render-in-parts.ts'
import { renderPart } from '../../../../containers/parts/make/render-part.ts'
import type { PartCarrier } from '../../../../containers/parts/part-carrier.ts'
import { carriedBy, plannedFilm } from '../../../support/containers/films/film-parts.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'

async function aFilm() {
  const source = await makeVideo({ seconds: 18, size: '160x90', fps: 10, tone: null })
  return renderVideo([{ file: source }], { rotate: 180, compressionQuality: 80 })
}

/** The same film divided, with one part for another media worker. */
async function divided(film: Awaited<ReturnType<typeof aFilm>>, run: PartCarrier['run']) {
  const planned = plannedFilm(film, carriedBy(1, run))
  const choice = await divideFilm(planned, film.plan)
  expect(choice).toHaveProperty('division')
  return { planned, choice }
}

it('encodes a divided film at the quality of its plan, although it was divided for another', async () => {
  const film = await aFilm()
  const given: string[] = []
  const { planned, choice } = await divided(film, async ({ n, spec }, signal, onProgress) => {
    given.push(Object.fromEntries(spec.coding)['-crf'] ?? '')
    return { n, ...(await renderPart({ ...film.tools, signal }, spec, onProgress)) }
  })
  const tracks = film.plan.tracks.map(({ stream, coding }) => {
    const at = coding.indexOf('-crf')
    return { stream, coding: at < 0 ? coding : [...coding].with(at + 1, '41.5') }
  })
  const encoded = await encodeFilm(planned, { plan: { ...film.plan, tracks } }, choice)
  if (!('result' in encoded)) throw new Error('Stopped')
  const { name, plan } = encoded.result
  expect(plan.parts).toMatchObject({ begins: [0, expect.any(Number)] })
  const written = (await readFile(path.join(film.tools.folder, name))).toString('latin1')
  // x264 writes its settings into the first picture that it codes, here that of the film.
  expect(written.match(/ crf=[\d.]+/g)).toEqual([' crf=41.5'])
  expect(given).toEqual(['41.5'])
})

it('stops an encode once its watch says so, whatever is reported while it ends', async () => {
  const film = await aFilm()
  const { planned, choice } = await divided(film, async ({ n }, signal, onProgress) => {
    onProgress({ pictures: 20, bytes: 9_000 })
    onProgress({ pictures: 60, bytes: 9_001 })
    signal.throwIfAborted()
    throw new Error(`Part ${n} was not stopped`)
  })
  const stoppedAt = { pictureBytes: 9_000, mayTake: 100 }
  let reports = 0
  const watch = () => ({ stoppedAt: reports++ === 0 ? stoppedAt : undefined, again: 0 })
  const encoded = await encodeFilm(planned, { plan: film.plan, watch }, choice)
  expect(encoded).toEqual({ stoppedAt })
  expect(reports).toBeGreaterThan(1)
})
