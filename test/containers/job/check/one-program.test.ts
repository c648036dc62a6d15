import { expect, it } from 'vitest'
import { checkFilm } from '../../../../containers/job/check/check-film.ts'
import type { Planned } from '../../../../containers/job/plan/plan-job.ts'
import { aLivelyVideo, filmOf, planOf } from '../../../support/containers/films/checked-film.ts'

const text = 'WEBVTT\n\n00:00:00.200 --> 00:00:01.800\nThe first words\n'

/** The checks of what the plan makes, and the programs that they start. */
async function checked(planned: Planned) {
  const { context } = planned
  const film = await filmOf(planned)
  const started: string[] = []
  const given: (readonly string[])[] = []
  const onCommand: typeof context.tools.onCommand = ({ program, args }) => {
    started.push(program)
    given.push(args)
  }
  const looked = { ...planned, context: { ...context, tools: { ...context.tools, onCommand } } }
  return { film, started, given, checks: await checkFilm(looked, film) }
}

it('starts one program for all that it looks at, because that takes as long as most of the looking', async () => {
  const asked = { aspectRatio: '1:1', captions: { source: { text } }, normalizeAudio: true }
  const { started, checks } = await checked(await planOf([await aLivelyVideo(2)], asked))
  expect(checks.filter(({ result }) => result !== 'passed')).toEqual([])
  expect(checks.find(({ name }) => name === 'captions')?.message).toBe(
    'Its captions were read back at 1 moment.',
  )
  expect(started).toEqual(['ffmpeg'])
})

it('does not look again at a copy whose pictures are those of its source', async () => {
  const planned = await planOf([await aLivelyVideo(10, ['-g', '50'])], { trim: { start: 2 } })
  expect(planned.plan.video).toBe('copy')
  const { started, checks } = await checked(planned)
  expect(checks.filter(({ result }) => result !== 'passed')).toEqual([])
  expect(started).toEqual(['ffmpeg'])
})

/** Whether pictures of a file are decoded before the first one that is asked for, each time that it is opened. */
function opened(args: readonly string[], name: string): boolean[] {
  let decodes = true
  return args.flatMap((arg, i) => {
    if (arg.endsWith('find_stream_info')) decodes = arg === '-find_stream_info'
    return args[i - 1] === '-i' && arg === `file:${name}` ? [decodes] : []
  })
}

it('decodes no picture only to open a film whose index tells everything', async () => {
  const { film, given } = await checked(
    await planOf([await aLivelyVideo(2)], { aspectRatio: '1:1' }),
  )
  expect(film.plan.video).toBe('encode')
  const all = given.flatMap((args) => opened(args, film.name))
  expect(all.length).toBeGreaterThan(1)
  expect(new Set(all)).toEqual(new Set([false]))
})

it('leaves it to the program to learn how a copy is stored', async () => {
  const planned = await planOf([await aLivelyVideo(10, ['-g', '50'])], { trim: { start: 2 } })
  const { film, given } = await checked(planned)
  expect(film.plan.video).toBe('copy')
  expect(new Set(given.flatMap((args) => opened(args, film.name)))).toEqual(new Set([true]))
})
