import { rm } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { lookAtAll, soundRate } from '../../../../containers/job/check/look-at-film.ts'
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
  onTestFinished(async () => rm(tools.folder, { recursive: true }))
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
  const looks = parts.flatMap(({ look }) => look ?? [])
  const asked = looks.map((look) => ({ kind: 'sound' as const, ...look }))
  const { seen } = await lookAtAll(tools, asked, 'look')
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

it('hears where sounds that were mixed end before the film', async () => {
  const planned = await planOf([await aLivelyVideo()], {})
  const { context } = planned
  onTestFinished(async () => rm(context.tools.folder, { recursive: true }))
  const elements = [{ type: 'audio', url: 'https://a.example/music.mp3' }]
  const options = { ...context.job.options, elements } as typeof context.job.options
  const plan = {
    audio: 'encode',
    durationSeconds: 4,
    excerpt: undefined,
    warnings: [],
    sound: null,
  }
  const looked = {
    planned: { ...planned, context: { ...context, job: { ...context.job, options } } },
    film: { plan, facts: { durationSeconds: 4 } },
  } as SoundLooked
  const syncOf = (seconds: number) => {
    const made = Buffer.alloc(seconds * soundRate * bytesPerMoment, 20)
    const [meter, coding, parts] = [undefined, undefined, undefined]
    const channels = { due: 2, made: 2 }
    const read = { made, parts, bytesOf: () => undefined, meter, channels, coding }
    return checkSound(looked, read).find(({ name }) => name === 'sync')
  }
  expect(syncOf(4)?.result).toBe('passed')
  expect(syncOf(3)?.message).toBe('Its sound ends 1 s too early.')
})
