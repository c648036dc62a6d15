import { stat } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { besideOf, boundsOf, bytesWork } from '../../../../containers/job/foresee/foresee-bytes.ts'
import { filmResult } from '../../../../containers/job/foresee/film-result.ts'
import { samplePictures } from '../../../../containers/job/foresee/sample-result.ts'
import { around } from '../../../../containers/job/foresee/ranges.ts'
import { foreseeOutputs } from '../../../../containers/job/foresee/foresee-outputs.ts'
import { TimeLeft } from '../../../../containers/job/report/time-left.ts'
import { openClip } from '../../../../containers/render/frame/open-clip.ts'
import type { Paces } from '../../../../worker/contract/job/paces.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'
import { aLivelyVideo, planOf } from '../../../support/containers/films/checked-film.ts'
import { cutHere } from '../../../support/containers/films/job-here.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { someFacts } from '../../../support/containers/films/facts.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { planClips } from '../../../support/containers/films/plan-clips.ts'

const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 5_000_000 }
const options = optionsSchema.parse({ color: { contrast: 1.2 } })
const still = openClip('in0', someFacts({ video: { bitRate: 2_000 }, audio: null }), {})
const lively = openClip('in1', someFacts({ video: { bitRate: 900_000 }, audio: null }), {})

it('counts every clip of a film, not its first alone', () => {
  const bytesOf = (...clips: [typeof still, ...(typeof still)[]]) =>
    bytesWork({ plan: planClips(clips, options, caps), clips, quality: 70 }).units
  const [least, most] = [bytesOf(still, still), bytesOf(lively, lively)]
  expect(most / least).toBeGreaterThan(5)
  expect(bytesOf(still, lively) / ((least + most) / 2)).toBeCloseTo(1, 1)
  expect(bytesOf(still, lively)).toBe(bytesOf(lively, still))
})

it('counts no sound of a copy that is muted', () => {
  const facts = someFacts({ sizeBytes: 250_000, durationSeconds: 5, video: { bitRate: 360_000 } })
  const clips = [openClip('in0', facts, {})] as const
  const bytesOf = (asked: object) => {
    const plan = planClips(clips, optionsSchema.parse(asked), caps)
    expect(plan.video).toBe('copy')
    return bytesWork({ plan, clips, quality: 100 }).units
  }
  expect(bytesOf({})).toBe(250_000)
  expect(bytesOf({ audio: { mute: true } })).toBeLessThan(230_000)
})

it('counts all pictures of a file whose sound lasts longer', () => {
  const video = { bitRate: 1_200_000, endSeconds: 4 }
  const audio = { bitRate: 69_000 }
  const facts = someFacts({ sizeBytes: 664_000, durationSeconds: 7, video, audio })
  const clips = [openClip('in0', facts, {})] as const
  const plan = planClips(clips, optionsSchema.parse({}), caps)
  expect(bytesWork({ plan, clips, quality: 100 }).units).toBe(664_000)
})

it('counts all of a sound that is copied, also if one that is encoded would have fewer channels', () => {
  const audio = { channels: 8, bitRate: 512_000 }
  const video = { bitRate: 720_000 }
  const facts = someFacts({ sizeBytes: 625_000, durationSeconds: 4, video, audio })
  const clips = [openClip('in0', facts, {})] as const
  const plan = planClips(clips, optionsSchema.parse({}), caps)
  expect(plan.audio).toBe('copy')
  expect(bytesWork({ plan, clips, quality: 100 }).units).toBe(625_000)
})

it('foresees more bytes than a source has, where that could only be kept by pictures that look worse than any may', () => {
  const clips = [still] as const
  const { beside, upTo } = boundsOf({ plan: planClips(clips, options, caps), clips, quality: 100 })
  const budget = upTo(2e4)
  expect(budget).toBeLessThan(beside + 5e3)
  expect(upTo(1e6)).toBeGreaterThan(budget * 5)
})

it('allows a short film to miss its rate also where nothing of it could be tried', async () => {
  const planned = await planOf([await aLivelyVideo(1)], { flip: 'horizontal' })
  const context = { ...planned.context, trialTime: { leftMs: 0 } }
  const { result } = await filmResult({ ...planned, context }, { share: around(1, 0) }, {})
  expect(result.sizeInBytes.most / result.sizeInBytes.likely).toBeGreaterThan(1.15)
})

it('knows that ProRes spends more bits on the same pictures, where nothing of it could be tried', async () => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25,noise=alls=8:allf=t', '-t', '2']
  const film = await makeFile('mov', [...picture, '-c:v', 'prores_ks', '-profile:v', '1'])
  const planned = await planOf([film], { compressionQuality: 50 })
  const within = async (leftMs: number) => {
    const context = { ...planned.context, trialTime: { leftMs } }
    const { result } = await filmResult({ ...planned, context }, { share: around(1, 0) }, {})
    return result.sizeInBytes
  }
  const [untried, tried] = [await within(0), await within(60_000)]
  expect(tried.likely).toBeGreaterThan(untried.least)
  expect(tried.likely).toBeLessThan(untried.most)
})

it('tells from the places that were tried how large a film becomes, if no more could be', async () => {
  const planned = await planOf([await aLivelyVideo(6)], { flip: 'horizontal' })
  const spreadAfter = async (most: number) => {
    let runs = 0
    const onCommand = (): void => {
      runs += 1
      if (runs > most) throw new Error('No time is left')
    }
    const tools = { ...planned.context.tools, onCommand }
    const context = { ...planned.context, tools, trialTime: { leftMs: 60_000 } }
    const seen = await samplePictures({ ...planned, context }, {})
    return seen && seen.bytes.most / seen.bytes.likely
  }
  const [none, some, all] = [await spreadAfter(0), await spreadAfter(1), await spreadAfter(99)]
  expect(none).toBeUndefined()
  expect(some).toBeGreaterThan((all ?? 0) * 1.1)
})

it('looks at each of several clips, or at none, if encoding takes long', async () => {
  const still = ['-f', 'lavfi', '-i', 'color=teal:s=320x180:r=25:d=4', '-pix_fmt', 'yuv420p']
  const lively = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=3', '-pix_fmt', 'yuv420p']
  const files = [await makeFile('mp4', still), await makeFile('mp4', lively)]
  const planned = await planOf(files, { combine: true, flip: 'horizontal' })
  const context = { ...planned.context, trialTime: { leftMs: 60_000 } }
  const bytesIf = async (ms: number) => {
    const paces = { 'encoding mp4': { ms, spread: 0.2 } }
    return (await samplePictures({ ...planned, context }, paces))?.bytes.likely
  }
  const known = (await bytesIf(1)) ?? 0
  for (const ms of [300, 600, 1_000, 1_500, 2_200, 4_000]) {
    const seen = (await bytesIf(ms)) ?? known
    expect(seen, String(ms)).toBeGreaterThan(known / 1.6)
    expect(seen, String(ms)).toBeLessThan(known * 1.6)
  }
})

it('tries a few pictures of a film whose encoding seems slow, and none if it seems far too slow', async () => {
  const lively = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=4', '-pix_fmt', 'yuv420p']
  const planned = await planOf([await makeFile('mp4', lively)], { flip: 'horizontal' })
  const context = { ...planned.context, trialTime: { leftMs: 60_000 } }
  const bytesIf = async (ms: number) => {
    const paces = { 'encoding mp4': { ms, spread: 0.2 } }
    return (await samplePictures({ ...planned, context }, paces))?.bytes.likely
  }
  const known = (await bytesIf(1)) ?? 0
  const seen = (await bytesIf(2_500)) ?? 0
  expect(seen / known).toBeGreaterThan(0.5)
  expect(seen / known).toBeLessThan(2)
  expect(await bytesIf(50_000)).toBeUndefined()
})

it('tells from a few places how much longer noise takes to encode than a drawing', async () => {
  const encodingOf = async (source: string) => {
    const film = ['-f', 'lavfi', '-i', source, '-t', '4', '-pix_fmt', 'yuv420p']
    const planned = await planOf([await makeFile('mp4', film)], { flip: 'horizontal' })
    const context = { ...planned.context, trialTime: { leftMs: 60_000 } }
    const { tried } = await filmResult({ ...planned, context }, { share: around(1, 0) }, {})
    return tried.run ?? { ms: 0, spread: 1 }
  }
  const drawn = await encodingOf('testsrc2=s=160x90:r=25')
  const noisy = await encodingOf('testsrc2=s=160x90:r=25,noise=alls=30:allf=t')
  expect(noisy.ms).toBeGreaterThan(drawn.ms * 1.5)
  expect(noisy.spread).toBeLessThan(0.3)
})

it('counts that a film is encoded again where its first result is larger than its source, and how soon fewer bytes are written', async () => {
  const planned = await planOf([await aLivelyVideo(3)], { flip: 'horizontal' })
  const context = { ...planned.context, trialTime: { leftMs: 60_000 } }
  const triedWithin = async (mostBytes: number) => {
    const film = { ...planned, context, plan: { ...planned.plan, budget: undefined, mostBytes } }
    const { result, tried } = await filmResult(film, { share: around(1, 0) }, {})
    return { bytes: result.sizeInBytes.likely, ms: tried.run?.ms ?? 0, runs: tried.runs ?? 0 }
  }
  const once = await triedWithin(1e9)
  expect(once.runs).toBe(1)
  const perhaps = await triedWithin(once.bytes)
  expect(perhaps.runs).toBeGreaterThan(1)
  const again = await triedWithin(1_000)
  expect(again.runs).toBeGreaterThan(perhaps.runs)
  expect(again.ms).toBeLessThan(once.ms)
})

async function footageOf(file: string, outputs: object[], trialTime: { leftMs: number }) {
  const cut = await cutHere(await aToolContext(), { sources: [{ file }], options: { outputs } })
  const context = { ...cut.context, trialTime }
  const asked = cut.context.job.options.outputs ?? []
  return { cut: { ...cut, context }, outputs: asked, isNamed: true, clips: new Map() }
}

/** Two films that are made of the same one. */
async function twoFilms(paces: Paces) {
  const outputs = ['one', 'same'].map((name) => ({ name, width: 160 }))
  const { cut, ...own } = await footageOf(await aLivelyVideo(6), outputs, { leftMs: 60_000 })
  const { context } = cut
  return { ...own, cut: { ...cut, context: { ...context, job: { ...context.job, paces } } } }
}

it('tells from places that are tried how long several films take to encode', async () => {
  const footage = await twoFilms({})
  const unitsIf = async (ms: number) => {
    const left = { encoding: () => ({ ms, spread: 0.8 }) }
    const { rendering } = await foreseeOutputs(footage, { share: around(1, 0) }, left)
    return rendering?.units ?? 0
  }
  expect(await unitsIf(100)).toBeGreaterThan((await unitsIf(10_000)) * 1.3)
})

it('leaves time to try the last of several films', async () => {
  const footage = await twoFilms({ 'encoding mp4': { ms: 400, spread: 0.2 } })
  const { results } = await foreseeOutputs(footage, { share: around(1, 0) }, new TimeLeft())
  const [first = 0, last = 0] = results.map(
    ({ sizeInBytes }) => sizeInBytes.most / sizeInBytes.least,
  )
  expect(first).toBeGreaterThan(last)
})

it('counts that VP9 is tried several times where a source has fewer bytes than the asked quality takes', async () => {
  const planned = await planOf([await aLivelyVideo(3)], { outputFormat: 'webm' })
  const context = { ...planned.context, trialTime: { leftMs: 60_000 } }
  const { budget } = planned.plan
  const runsWithin = async (share: number) => {
    const stretches = (budget?.stretches ?? []).map((one) => ({ ...one, share }))
    const plan = { ...planned.plan, budget: budget && { ...budget, stretches } }
    const { tried } = await filmResult({ ...planned, context, plan }, { share: around(1, 0) }, {})
    return tried.runs
  }
  expect(await runsWithin(100)).toBe(1)
  expect(await runsWithin(0.05)).toBeGreaterThan(2)
})

it('counts how often one of several films is tried, by what its trials show', async () => {
  const within = async (...coding: string[]) => {
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25,noise=alls=20:allf=t', '-t', '3']
    const file = await makeFile('mp4', [...picture, '-pix_fmt', 'yuv420p', ...coding])
    const outputs = [{ name: 'web', outputFormat: 'webm' }]
    const { cut, ...own } = await footageOf(file, outputs, { leftMs: 60_000 })
    const left = { encoding: () => ({ ms: 1_000, spread: 0.001 }) }
    const untried = { ...cut, context: { ...cut.context, trialTime: { leftMs: 0 } } }
    const unitsOf = async (one: typeof untried) => {
      const footage = { ...own, cut: one }
      const { rendering } = await foreseeOutputs(footage, { share: around(1, 0) }, left)
      return rendering?.units ?? 0
    }
    return (await unitsOf(cut)) / (await unitsOf(untried))
  }
  expect(await within('-crf', '45')).toBeGreaterThan(1.1)
  expect(await within('-crf', '4')).toBeLessThan(0.9)
})

it('foresees that a film in fewer bytes than its source has takes nearly all of them, in two tries', async () => {
  const file = await aLivelyVideo(4)
  const within = async (share: number) => {
    const maxBytes = Math.round((await stat(file)).size * share)
    const outputs = [{ name: 'little', outputFormat: 'webm', width: 160, maxBytes }]
    const footage = await footageOf(file, outputs, { leftMs: 60_000 })
    const foreseen = await foreseeOutputs(footage, { share: around(1, 0) }, new TimeLeft())
    const { likely = 0 } = foreseen.results[0]?.sizeInBytes ?? {}
    return { filled: likely / maxBytes, units: foreseen.rendering?.units ?? 0 }
  }
  const [little, much] = [await within(0.9), await within(1.5)]
  expect(little.filled).toBeCloseTo(0.97, 2)
  expect(much.filled).toBeLessThan(0.7)
  expect(little.units).toBeGreaterThan(much.units * 1.2)
})

it('foresees that the second with the most bits keeps a film at a low rate below it, in two tries', async () => {
  const planned = await planOf([await aLivelyVideo(4)], { flip: 'horizontal' })
  const { context } = planned
  const within = async (maxBitrate: number) => {
    const options = { ...context.job.options, maxBitrate }
    const limited = { ...context, job: { ...context.job, options }, trialTime: { leftMs: 60_000 } }
    const share = around(1, 0)
    const { result, tried } = await filmResult({ ...planned, context: limited }, { share }, {})
    return { ...result.sizeInBytes, runs: tried.runs }
  }
  const free = await within(50_000_000)
  const rate = (free.likely * 8) / 4
  const [bound, unbound] = [await within(Math.round(rate / 2)), await within(Math.round(rate * 2))]
  expect(bound.likely / free.likely).toBeLessThan(0.4)
  expect(bound.most / free.likely).toBeCloseTo(0.5, 2)
  expect(unbound.most / free.likely).toBeGreaterThan(1)
  expect([bound.runs, unbound.runs]).toEqual([2, free.runs])
})

it('counts the pixels of a GIF in its work', async () => {
  const file = await aLivelyVideo(2)
  const unitsAt = async (width: number) => {
    const outputs = [{ name: 'moves', outputFormat: 'gif', width, fps: 25 }]
    const footage = await footageOf(file, outputs, { leftMs: 0 })
    const { rendering } = await foreseeOutputs(footage, { share: around(1, 0) }, new TimeLeft())
    return rendering?.units ?? 0
  }
  expect(await unitsAt(1_280)).toBeGreaterThan((await unitsAt(160)) * 2)
})

it('foresees a GIF of all clips, whichever of them comes first', async () => {
  const still = ['-f', 'lavfi', '-i', 'color=teal:s=320x180:r=25:d=4', '-pix_fmt', 'yuv420p']
  const files = [await makeFile('mp4', still), await aLivelyVideo(4)]
  const bytesOf = async (...order: readonly string[]) => {
    const outputs = [{ name: 'moves', outputFormat: 'gif' }]
    const sources = order.map((file) => ({ file }))
    const cut = await cutHere(await aToolContext(), { sources, options: { outputs } })
    const untried = { ...cut, context: { ...cut.context, trialTime: { leftMs: 0 } } }
    const asked = cut.context.job.options.outputs ?? []
    const footage = { cut: untried, outputs: asked, isNamed: true, clips: new Map() }
    const { results } = await foreseeOutputs(footage, { share: around(1, 0) }, new TimeLeft())
    return results[0]?.sizeInBytes.likely ?? 0
  }
  const [stillFirst, livelyFirst] = [await bytesOf(...files), await bytesOf(...files.toReversed())]
  expect(stillFirst / livelyFirst).toBeCloseTo(1, 1)
})

it('tries first how large a still becomes, because films may take all of the time for that', async () => {
  const outputs = [
    { name: 'film', width: 160 },
    { name: 'still', outputFormat: 'png', times: [0.5] },
  ]
  const sources = [{ file: await aLivelyVideo(1) }]
  const cut = await cutHere(await aToolContext(), { sources, options: { outputs } })
  let left = 10_000
  const trialTime = {
    get leftMs() {
      return left
    },
    set leftMs(_) {
      left = 0
    },
  }
  const footage = {
    cut: { ...cut, context: { ...cut.context, trialTime } },
    outputs: cut.context.job.options.outputs ?? [],
    ...{ isNamed: true, clips: new Map() },
  }
  const { results } = await foreseeOutputs(footage, { share: around(1, 0) }, new TimeLeft())
  const spread = results.map(({ name, sizeInBytes: { least, most } }) => [name, most / least])
  expect(spread).toEqual([
    ['film', expect.toSatisfy((one: number) => one > 1.5)],
    ['still', expect.toSatisfy((one: number) => one < 1.1)],
  ])
})

it.each([
  // As these films were made: the bytes of the file without its packets.
  ['mp4', 60, 362.8, true, 578_370],
  ['mp4', 25, 16, false, 5_242],
  ['avi', 60, 15.57, true, 48_446],
  ['webm', 60, 10, true, 8_527],
] as const)('counts what %s writes beside its packets: %i pictures a second', (...film) => {
  const [outputFormat, averageFps, durationSeconds, sounds, bytes] = film
  const plan = planClips([still], { ...options, outputFormat }, caps)
  const beside = besideOf({ ...plan, soundBits: sounds ? 8 : 0, durationSeconds, averageFps })
  expect(Math.abs(beside / bytes - 1)).toBeLessThan(0.12)
})
