import { copyFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { replacedField } from '../../../../worker/contract/addresses/addresses-beside.ts'
import { measureMedia } from '../../../../containers/ffmpeg/measure-media.ts'
import { findClipFaces } from '../../../../containers/job/measure/find-faces.ts'
import { followPeople } from '../../../../containers/job/measure/follow-people.ts'
import {
  keptMeasures,
  measureOnce,
  keepInPieces,
} from '../../../../containers/job/measure/measured-once.ts'
import { openClip } from '../../../../containers/render/frame/open-clip.ts'
import type { Clips } from '../../../../containers/timeline/clip.ts'
import { cutTimeline } from '../../../../containers/timeline/cut-list.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'
import type { Ahead } from '../../../../containers/job/report/steps.ts'
import { measureHere } from '../../../support/containers/films/job-here.ts'
import { startHearingWorker } from '../../../support/containers/hearing-worker.ts'
import { keptTexts } from '../../../support/containers/kept-texts.ts'
import { savedOutput } from '../../../support/containers/outputs.ts'
import { talkingFilm } from '../../../support/containers/films/talking-faces.ts'
import { speech, videoWithSound, withNoise } from '../../../support/containers/sound/speech.ts'
import { makeFile, makeVideo } from '../../../support/node/fixtures.ts'
import { soundHearing } from '../../../support/containers/sound/local-voices.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

const talk = async () => videoWithSound(await withNoise(await speech([0.7, 1.5]), 'pink', 12))

/** Measures one edit after another as the jobs of an account do, and tells what was measured, which programs ran, how many texts it has kept, and of which measurements it told the time. */
function anEditor() {
  const texts = new Map<string, string>()
  const edit = async (file: string, options: object, { hash = 'film', sound = '' } = {}) => {
    const before = texts.size
    const tools = await aToolContext()
    if (sound) await copyFile(sound, path.join(tools.folder, 'sound'))
    const beside = new Map(sound ? [[replacedField, 'sound']] : [])
    const told: Ahead['measuring'][] = []
    const measured = await measureHere(tools, {
      ...{ sources: [{ file }], options: { ...options }, files: { elements: [], beside } },
      remembered: { words: keptTexts(texts), hashes: [hash, ...(sound ? ['sound'] : [])] },
      hearing: { onExpect: ({ measuring }) => void told.push(measuring) },
    })
    const last = told.at(-1)
    return {
      ...{ seen: measured.clips[0].seen?.shots, removed: measured.sound?.removed },
      commands: tools.commands.map(({ args }) => args.join(' ')),
      kept: texts.size - before,
      worked: last?.isMixed ? undefined : last?.kind,
    }
  }
  return { edit, texts }
}

it('makes the same film of what an earlier job has measured, and tells that it was quicker', async () => {
  const { run, words } = await startHearingWorker('never')
  const film = await talk()
  const edit = async () => {
    const asked = { outputFormat: 'mp4', removeNoise: true, removeSilence: true }
    const { end, receiver } = await run(film, asked)
    const made = await readFile(await savedOutput(receiver, 'final', 'mp4'))
    const commands = end.trace.commands.map(({ args }) => args.join(' '))
    const worked = end.worked?.flatMap(({ kind }) => (kind.startsWith('measuring') ? [kind] : []))
    return { made, commands: commands.toSorted(), worked }
  }
  const first = await edit()
  // A head and a piece for each of both.
  expect([words.size, first.worked]).toEqual([4, ['measuring noise']])
  const again = await edit()
  expect([words.size, again.worked]).toEqual([4, ['measuring again']])
  // If the bytes differ, this says by which programs.
  expect(again.commands).toEqual(first.commands)
  expect(again.made.equals(first.made)).toBe(true)
})

it('learns noise and voices once for all edits of the same bytes, and again what was damaged', async () => {
  const { edit, texts } = anEditor()
  const film = await talk()
  const asked = { removeNoise: true, removeSilence: true }
  const first = await edit(film, asked)
  expect(first.kept).toBe(4)
  expect(first.removed?.all).not.toEqual([])
  expect((await edit(film, { ...asked, normalizeAudio: true })).kept).toBe(0)
  expect((await edit(film, asked, { hash: 'other' })).kept).toBeGreaterThan(0)
  for (const name of texts.keys()) texts.set(name, 'damaged')
  const again = await edit(film, asked)
  expect([again.worked, again.removed]).toEqual(['measuring noise', first.removed])
})

it('knows where somebody speaks in a film, whatever sound takes the place of its own', async () => {
  const { edit } = anEditor()
  const film = await talk()
  const asked = { removeSilence: true }
  expect((await edit(film, asked)).kept).toBe(2)
  const sound = await makeFile('wav', ['-f', 'lavfi', '-i', 'sine=440:duration=6'])
  const replaced = await edit(film, asked, { sound })
  expect([replaced.kept, replaced.worked]).toEqual([0, 'measuring again'])
})

it('looks for the motion of the camera once for all edits, also in a film whose packets were put into another container', async () => {
  const film = await makeVideo({ seconds: 2, size: '64x64' })
  const wrapped = await makeFile('mkv', ['-i', film, '-c', 'copy'])
  for (const file of [film, wrapped]) {
    const { edit } = anEditor()
    const edits = [{}, { compressionQuality: 40 }, { removeNoise: true }]
    const found = []
    for (const options of edits) found.push(await edit(file, { stabilize: true, ...options }))
    const looks = found.map(({ commands }) => commands.join().match(/vidstabdetect/g)?.length ?? 0)
    expect(looks).toEqual([1, 0, 0])
    expect(found.map(({ worked }) => worked)).toEqual([
      'measuring shake',
      'measuring again',
      undefined,
    ])
    expect(found.slice(0, 2).map(({ kept }) => kept)).toEqual([2, 0])
    expect((await edit(file, { stabilize: true }, { hash: 'other' })).worked).toBe(
      'measuring shake',
    )
  }
})

it('looks once for who is seen, whatever shape it is shown in', async () => {
  const { edit } = anEditor()
  const film = await talkingFilm({
    ...{ name: 'seen once', size: [640, 360], fps: 25, seconds: 4, turns: [], voices: [] },
    faces: [{ portrait: 0, at: (seconds) => [380 + 30 * seconds, 120], height: 110 }],
  })
  const looks = (commands: readonly string[]) =>
    commands.filter((command) => command.includes('.cells')).length
  const asked = { aspectRatio: '9:16', resizeMode: 'follow' }
  const first = await edit(film, asked)
  expect([looks(first.commands), first.worked]).toEqual([1, 'seeing people'])
  expect(first.seen?.[0]?.people).toHaveLength(1)
  const square = await edit(film, { ...asked, aspectRatio: '1:1' })
  expect([looks(square.commands), square.kept]).toEqual([0, 0])
  expect(first.seen).toMatchObject(square.seen ?? [])
  expect(square.seen?.[0]?.people).toHaveLength(1)
})

it('does not take a job that only listens again for one that measures nothing', async () => {
  const { edit } = anEditor()
  const film = await talkingFilm({
    ...{ name: 'heard again', size: [640, 360], fps: 25, seconds: 2 },
    ...{ turns: [{ who: 0, from: 0.3, to: 1.7 }], voices: ['docs/examples/speech.mp4'] },
    faces: [
      { portrait: 0, at: () => [20, 120], height: 110 },
      { portrait: 1, at: () => [500, 120], height: 110 },
    ],
  })
  const asked = { aspectRatio: '9:16', resizeMode: 'follow' }
  await edit(film, asked)
  const again = await edit(film, asked)
  const ran = (name: string) => again.commands.some((command) => command.includes(name))
  expect([ran('.cells'), ran('voice0.f32'), again.worked]).toEqual([false, true, undefined])
})

it('knows a covered film wherever it stands among others', async () => {
  const film = await makeFile('mp4', ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=1'])
  const tools = await aToolContext()
  const sources = ['in0', 'in1']
  for (const name of sources) await copyFile(film, path.join(tools.folder, name))
  const open = async (name: string) => {
    const facts = await measureMedia(tools, { path: name, field: 'fileUrl', maxSeconds: 60 })
    return openClip(name, facts, {})
  }
  const clips: Clips = [await open('in0'), await open('in1')]
  const reporter = { expect: () => undefined, progress: () => undefined, insight: () => undefined }
  const remembered = { words: keptTexts(new Map()), hashes: ['same', 'same'] }
  const context = { remembered, reporter, log: () => undefined }
  const kept = keptMeasures(context, { sources }, { seconds: 2, usual: undefined })
  const once = measureOnce(
    kept,
    clips.map(({ facts }, i) => ({ path: `in${i}`, facts })),
  )
  const findFaces = async () => [
    { left: 0.6, right: 0.7, top: 0.3, bottom: 0.5, score: 0.9, isSure: true },
  ]
  const onProgress = () => undefined
  const asked = { blurFaces: true, aspectRatio: '9:16', resizeMode: 'follow', combine: true }
  const options = optionsSchema.parse(asked)
  const covered = await findClipFaces(tools, {
    ...{ clips, isSeen: () => true, findFaces, once, onProgress },
  })
  const { timeline } = cutTimeline(covered.clips, options)
  const seen = await followPeople(tools, covered.clips, {
    ...{ ...soundHearing, timeline, options, findFaces, findBodies: async () => [], once },
    ...{ onListen: () => undefined, onProgress },
  })
  expect(seen.map(({ faces, seen: found }) => [faces !== undefined, found?.shots.length])).toEqual([
    [true, 1],
    [true, 1],
  ])
  const looks = tools.commands.filter(({ args }) => args.some((one) => one.includes('.cells')))
  expect(looks).toHaveLength(1)
  // Nobody would be seen in pictures whose faces are covered already.
  expect(looks.flatMap(({ args }) => args).join(' ')).not.toContain('alphamerge')
})

it('tells the pace of measurements only where all of them, or none, were found', async () => {
  const texts = new Map<string, string>()
  const told: (Ahead['measuring'] | undefined)[] = []
  const measures = () => {
    told.length = 0
    const reporter = {
      expect: ({ measuring }: Ahead) => void told.push(measuring),
      ...{ progress: () => undefined, insight: () => undefined },
    }
    const remembered = { words: keptTexts(texts), hashes: [] }
    const usual = { kind: 'seeing faces', units: 60 }
    const made = keptMeasures(
      { remembered, reporter, log: () => undefined },
      { sources: ['in0'] },
      { seconds: 59, usual },
    )
    if (!made) throw new Error('Nobody keeps anything')
    return made
  }
  const again = { kind: 'measuring again', units: 70 + 59 }
  const mixed = { kind: 'seeing faces', units: 60, isMixed: true }
  const first = measures()
  await first.bytes.find('faces')
  await first.bytes.keep('faces', Buffer.from('faces'))
  expect(told).toEqual([])
  const { bytes, noteMeasured } = measures()
  await bytes.find('faces')
  expect(told.at(-1)).toEqual(again)
  noteMeasured()
  expect(told.at(-1)).toEqual(mixed)
  const third = measures()
  await third.bytes.find('motion')
  await third.bytes.find('faces')
  expect(told).toEqual([mixed])
})

it('packs nothing for which there is no room, and says so', async () => {
  const texts = new Map<string, string>()
  const said: unknown[] = []
  const kept = keepInPieces(keptTexts(texts), (_, message) => void said.push(message))
  expect([kept.takes(74_000_000), said]).toEqual([true, []])
  expect(kept.takes(76_000_000)).toBe(false)
  expect(said).toEqual(['What was measured is too large to be kept'])
  await kept.keep('name', Buffer.alloc(0))
  await kept.keep('name', Buffer.alloc(1_000_000_001))
  expect(texts.size).toBe(0)
})

it('keeps bytes in as many pieces as they need, and finds nothing if one of them is missing or another', async () => {
  const texts = new Map<string, string>()
  const kept = keepInPieces(keptTexts(texts), () => undefined)
  const bytes = Buffer.alloc(2_000_000)
  for (let i = 0, seed = 1; i < bytes.length; i++) bytes[i] = seed = (seed * 48_271) % 2_147_483_647
  await kept.keep('name', bytes)
  expect(texts.size).toBe(4)
  expect((await kept.find('name'))?.equals(bytes)).toBe(true)
  expect(await kept.find('another')).toBeUndefined()
  const [piece = ''] = [...texts.keys()].filter((name) => name !== 'name')
  const text = texts.get(piece) ?? ''
  texts.set(piece, `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`)
  expect(await kept.find('name')).toBeUndefined()
  texts.delete(piece)
  expect(await kept.find('name')).toBeUndefined()
})
