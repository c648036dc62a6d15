import { expect, it } from 'vitest'
import { lookAtAll, soundRate, type Look } from '../../../../containers/job/check/look-at-film.ts'
import { checkSound } from '../../../../containers/job/check/check-sound.ts'
import {
  joinWanted,
  wantedSound,
  type SoundLooked,
} from '../../../../containers/job/check/wanted-sound.ts'
import {
  bytesPerMoment,
  levelsOf,
  levelsPerSecond,
} from '../../../../containers/job/check/loudness-over-time.ts'
import { aLivelyVideo, planOf } from '../../../support/containers/films/checked-film.ts'

it('reads of joined clips only what a result has of them, and at most an hour', async () => {
  const file = await aLivelyVideo()
  const planned = await planOf([file, file, file], {})
  const { tools } = planned.context
  const wantedOf = (start: number, durationSeconds: number) => {
    const excerpt = { start }
    const plan = { audio: 'encode', durationSeconds, excerpt, warnings: [], sound: null } as const
    return wantedSound({ planned, film: { plan, facts: { durationSeconds } } }) ?? []
  }
  const parts = wantedOf(3.5, 1.5)
  const read = parts.map(({ look }) => [look?.input.name, look?.input.from, look?.input.seconds])
  expect(read).toEqual([
    ['in0', 3.5, 0.5],
    ['in1', 0, 1],
  ])
  const looks: Look[] = parts.flatMap(({ look }) => look ?? [])
  const { seen } = await lookAtAll(tools, looks, 'look')
  const joined = joinWanted(parts, (look) => seen[looks.indexOf(look)])
  expect(levelsOf(joined)).toHaveLength(1.5 * levelsPerSecond)
  const levelAt = (place: number) => levelsOf(joined)[place] ?? 0
  const ofFirst = levelsOf(seen[0] ?? Buffer.alloc(0))
  expect(levelAt(20)).toBe(ofFirst[20])
  const ofSecond = levelsOf(seen[1] ?? Buffer.alloc(0))
  expect(levelAt(80)).toBe(ofSecond[30])

  const long = { ...planned.timeline, clipFrames: [3_000, 3_000, 3_000].map((one) => one * 25) }
  const film = {
    plan: { audio: 'encode', durationSeconds: 9_000, warnings: [], sound: null },
    facts: { durationSeconds: 9_000 },
  } as const
  const hour = wantedSound({
    planned: { ...planned, timeline: long },
    film: { ...film, plan: { ...film.plan, excerpt: undefined } },
  })
  expect(hour?.map(({ seconds }) => seconds)).toEqual([3_000, 600])
})

/** A film of four seconds with music over it. */
async function withMusic(): Promise<SoundLooked> {
  const planned = await planOf([await aLivelyVideo()], {})
  const { context } = planned
  const elements = [{ type: 'audio', url: 'https://a.example/music.mp3' }]
  const options = { ...context.job.options, elements } as typeof context.job.options
  const plan = {
    audio: 'encode',
    durationSeconds: 4,
    excerpt: undefined,
    warnings: [],
    sound: null,
  }
  return {
    planned: { ...planned, context: { ...context, job: { ...context.job, options } } },
    film: { plan, facts: { durationSeconds: 4 } },
  } as SoundLooked
}

const read = {
  ...{ parts: undefined, meter: undefined, coding: undefined, bytesOf: () => undefined },
  channels: { due: 2, made: 2 },
}

it('hears where sounds that were mixed end before the film', async () => {
  const looked = await withMusic()
  const syncOf = (seconds: number) => {
    const made = Buffer.alloc(seconds * soundRate * bytesPerMoment, 20)
    return checkSound(looked, { ...read, made }).find(({ name }) => name === 'sync')
  }
  expect(syncOf(4)?.result).toBe('passed')
  expect(syncOf(3)?.message).toBe('Its sound ends 1 s too early.')
})

/** Four seconds of a tone that is heard now and then, each time by this many seconds late. */
function beats(late: number): Buffer {
  const bytes = Buffer.alloc(4 * soundRate * bytesPerMoment)
  for (let at = 0; at < 4 * soundRate; at++) {
    const second = at / soundRate - late
    const isHeard = [0.1, 0.5, 1.2, 1.5, 2.6].some((beat) => second > beat && second < beat + 0.12)
    const value = isHeard ? Math.round(9_000 * Math.sin(at / 3)) : 0
    for (const side of [0, 2]) bytes.writeInt16LE(value, at * bytesPerMoment + side)
  }
  return bytes
}

it('does not look for the rhythm of a source in the sounds that are mixed over it', async () => {
  const looked = await withMusic()
  const [source, music] = [beats(0), beats(0.7)]
  const parts = wantedSound(looked)
  const heard = { ...read, parts, bytesOf: () => source, made: music }
  const syncOf = (of: SoundLooked, planned?: Buffer) =>
    checkSound(of, { ...heard, planned }).find(({ name }) => name === 'sync')
  expect(syncOf(looked, music)?.result).toBe('passed')
  expect(syncOf(looked, source)?.message).toMatch(/^Its sound is 0\.\d+ s too late\.$/)
})
