import { appendFile, copyFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Planned } from '../../../../containers/job/plan/plan-job.ts'
import { encodeFilm } from '../../../../containers/job/render/encode-film.ts'
import { divideFilm } from '../../../../containers/job/render/render-in-parts.ts'
import { renderPart } from '../../../../containers/parts/make/render-part.ts'
import type { PartCarrier } from '../../../../containers/parts/part-carrier.ts'
import { campaignAfter } from '../../../support/node/campaign.ts'
import { countedVideo, shownNumbers } from '../../../support/containers/films/counted-video.ts'
import {
  carriedBy,
  plannedFilm,
  renderFilmInParts,
} from '../../../support/containers/films/film-parts.ts'
import { renderVideo, type RenderedVideo } from '../../../support/containers/films/render-video.ts'
import { frameTimes, packetHashes, probe } from '../../../support/containers/run-tool.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'

/** Another media worker, in the same folder. */
function beside({ tools }: Pick<RenderedVideo, 'tools'>, count = 2): PartCarrier {
  return carriedBy(count, async ({ n, spec }, signal, onProgress) => ({
    n,
    ...(await renderPart({ ...tools, signal }, spec, onProgress)),
  }))
}

/** The whole film stays as it is; that of the parts has the same name. */
async function inBothWays(film: RenderedVideo, carrier: PartCarrier) {
  const whole = `${await aFolder()}/whole.${film.plan.format}`
  await copyFile(film.file, whole)
  const made = await renderFilmInParts(film, carrier)
  if ('why' in made) throw new Error(made.why)
  return { whole, ...made }
}

const turned = { rotate: 180, compressionQuality: 80 }

describe('renderInParts', () => {
  for (const [i, format] of ['mp4', 'webm', 'avi', 'mov'].entries()) {
    const name = `makes the film that is made whole, in ${format}`
    it(name, { tags: campaignAfter(2, i) }, async () => {
      const source = await countedVideo({ seconds: 27, fps: '30000/1001' })
      const film = await renderVideo([{ file: source }], { ...turned, outputFormat: format })
      const { whole, file, parts } = await inBothWays(film, beside(film))
      expect(parts).toBe(3)
      expect(await shownNumbers(file)).toEqual(await shownNumbers(whole))
      expect(await frameTimes(file)).toEqual(await frameTimes(whole))
      expect(await packetHashes(file, '0:a')).toEqual(await packetHashes(whole, '0:a'))
    })
  }

  it('keeps the times of pictures of a phone, and of a sound that begins later', async () => {
    const late = await makeFile('mp4', [
      ...['-i', await countedVideo({ seconds: 18, fps: 30, isVariable: true, sound: null })],
      ...['-itsoffset', '0.4', '-f', 'lavfi', '-i', 'sine=f=300:d=17'],
      ...['-c:v', 'copy', '-c:a', 'aac'],
    ])
    const film = await renderVideo([{ file: late }], turned)
    expect(film.plan.hasConstantRate).toBe(false)
    const { whole, file, parts } = await inBothWays(film, beside(film))
    expect(parts).toBe(2)
    expect(await shownNumbers(file)).toEqual(await shownNumbers(whole))
    const [made, wanted] = [await frameTimes(file), await frameTimes(whole)]
    expect(made.length).toBe(wanted.length)
    expect(Math.max(...made.map((at, i) => Math.abs(at - (wanted[i] ?? 0))))).toBeLessThan(0.0001)
    const startOf = async (one: string) =>
      (await probe(one)).streams.map((stream) => Number(stream.start_time))
    const [ofMade, ofWhole] = [await startOf(file), await startOf(whole)]
    ofMade.forEach((start, i) => expect(start).toBeCloseTo(ofWhole[i] ?? Number.NaN, 3))
    expect(await packetHashes(file, '0:a')).toEqual(await packetHashes(whole, '0:a'))
  })

  it('says everywhere what the first clip says of its colors', async () => {
    const clip = async (tags: readonly string[]) => {
      const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...tags]
      return { file: await countedVideo({ seconds: 10, fps: 25, sound: null, coding }) }
    }
    const smpte = 'smpte170m'
    const tagged = ['-color_primaries', smpte, '-color_trc', smpte, '-colorspace', smpte]
    const film = await renderVideo([await clip(tagged), await clip([])], turned)
    const { whole, file, parts } = await inBothWays(film, beside(film))
    expect(parts).toBeGreaterThan(1)
    const colorsOf = async (one: string) => {
      const [stream] = (await probe(one)).streams
      return [stream?.color_primaries, stream?.color_transfer, stream?.color_space]
    }
    expect(await colorsOf(file)).toEqual([smpte, smpte, smpte])
    expect(await colorsOf(whole)).toEqual([smpte, smpte, smpte])
  })

  it('stops all parts when the job is stopped', async () => {
    const stop = new AbortController()
    const film = await renderVideo(
      [{ file: await countedVideo({ seconds: 17, fps: 25, sound: null }) }],
      turned,
    )
    const tools = { ...film.tools, signal: stop.signal }
    const context = { ...film.context, tools, signal: stop.signal }
    const stuck: PartCarrier['run'] = async (_task, signal) => {
      stop.abort(new Error('The job was stopped'))
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        if (signal.aborted) reject(signal.reason as Error)
      })
    }
    const made = renderFilmInParts({ ...film, tools, context }, carriedBy(1, stuck))
    await expect(made).rejects.toThrow('The job was stopped')
    const left = await readdir(film.tools.folder)
    expect(left.filter((name) => name.startsWith('part-'))).toEqual([])
  })
})

/** A film that is made whole, of which parts can be made. */
async function aFilm(): Promise<RenderedVideo> {
  return renderVideo([{ file: await countedVideo({ seconds: 17, fps: 25, sound: null }) }], turned)
}

describe('a film whose parts fail', () => {
  it('is made whole if a part arrives with other bytes, and stays whole if it is encoded again', async () => {
    const film = await aFilm()
    const { idle, run } = beside(film, 1)
    let given = 0
    const damaged: PartCarrier['run'] = async (...args) => {
      given++
      const made = await run(...args)
      if (made) await appendFile(path.join(film.tools.folder, made.file), 'more')
      return made
    }
    const planned = plannedFilm(film, { idle, run: damaged })
    const { plan } = film
    const made = await encodeFilm(planned, { plan })
    const whole = expect.stringMatching(
      /^in parts it was not true: part \d arrived with other bytes$/,
    ) as string
    const isWhole = { result: { plan: { partsFailed: true, parts: { whole } } } }
    expect(made).toMatchObject(isWhole)
    expect(given).toBe(1)
    expect(await encodeFilm(planned, { plan })).toMatchObject(isWhole)
    expect(given).toBe(1)
  })

  it('is not taken if neighbours made other pictures at their seam', async () => {
    const film = await aFilm()
    const { run, idle } = beside(film, 1)
    // As a media worker would render it that reads the source from another picture on.
    const late: PartCarrier['run'] = async ({ n, spec }, ...args) => {
      const nodes = spec.nodes.map((node) =>
        node.type === 'filter' && node.name === 'vflip'
          ? { ...node, name: 'hflip' as const }
          : node,
      )
      return run({ n, spec: { ...spec, nodes } }, ...args)
    }
    const made = await renderFilmInParts(film, { idle, run: late })
    expect(made).toEqual({ why: 'parts 0 and 1 differ in the pictures at their seam' })
  })

  it('is made all the same if a part fails twice', async () => {
    const film = await aFilm()
    const { run, idle } = beside(film, 1)
    let failures = 0
    const failing: PartCarrier['run'] = async (...args) => {
      if (failures++ < 2) throw new Error('That machine died')
      return run(...args)
    }
    const whole = await shownNumbers(film.file)
    const made = await renderFilmInParts(film, { idle, run: failing })
    expect(made).toMatchObject({ parts: 2 })
    expect('file' in made && (await shownNumbers(made.file))).toEqual(whole)
  })

  it('is made by the lead alone if nobody has a slot after all', async () => {
    const film = await aFilm()
    const made = await renderFilmInParts(
      film,
      carriedBy(1, async () => undefined),
    )
    expect(made).toMatchObject({ parts: 2 })
  })
})

it('a film that is made whole says why', async () => {
  const film = await aFilm()
  const { idle, run } = beside(film)
  const why = async (planned: Planned) => {
    const choice = await divideFilm(planned, planned.plan)
    return choice && 'whole' in choice ? choice.whole : undefined
  }
  expect(await why(plannedFilm(film, { idle, run }, { split: false }))).toBe(
    'the request asks for it',
  )
  expect(await why(plannedFilm(film, carriedBy(0, run)))).toBe('no other media worker is free')
  const [clip] = film.clips
  const torn = { ...clip, facts: { ...clip.facts, promisedSeconds: 60 } }
  expect(await why(plannedFilm({ ...film, clips: [torn] }, { idle, run }))).toBe(
    'a source is damaged',
  )
})
