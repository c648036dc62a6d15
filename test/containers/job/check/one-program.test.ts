import { rm } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { checkFilm } from '../../../../containers/job/check/check-film.ts'
import { aLivelyVideo, filmOf, planOf } from '../../../support/containers/films/checked-film.ts'

const text = 'WEBVTT\n\n00:00:00.200 --> 00:00:01.800\nThe first words\n'

it('starts one program for all that it looks at, because that takes as long as most of the looking', async () => {
  const asked = { aspectRatio: '1:1', captions: { source: { text } }, normalizeAudio: true }
  const planned = await planOf([await aLivelyVideo(2)], asked)
  const { context } = planned
  onTestFinished(async () => rm(context.tools.folder, { recursive: true }))
  const film = await filmOf(planned)
  const started: string[] = []
  const tools = {
    ...context.tools,
    onCommand: ({ program }: { program: string }) => started.push(program),
  }
  const checks = await checkFilm({ ...planned, context: { ...context, tools } }, film)
  expect(checks.filter(({ result }) => result !== 'passed')).toEqual([])
  expect(checks.find(({ name }) => name === 'captions')?.message).toBe('Read back at 1 moments.')
  expect(started).toEqual(['ffmpeg'])
})
