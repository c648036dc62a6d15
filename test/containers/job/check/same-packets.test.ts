import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readIndex } from '../../../../containers/cuts/mp4/read-index.ts'
import { checkFilm } from '../../../../containers/job/check/check-film.ts'
import { readTables } from '../../../../containers/job/check/film-tables.ts'
import { hasPicturesOfSource } from '../../../../containers/job/check/same-packets.ts'
import type { Planned } from '../../../../containers/job/plan/plan-job.ts'
import type { Rendered } from '../../../../containers/job/render/run-plan.ts'
import {
  aLivelyVideo,
  filmOf,
  planOf,
  withFile,
} from '../../../support/containers/films/checked-film.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

async function made(file: string, options: Record<string, unknown> = {}) {
  const planned = await planOf([file], options)
  return { planned, film: await filmOf(planned), folder: planned.context.tools.folder }
}

async function isOfSource(planned: Planned, film: Rendered): Promise<boolean> {
  const tables = await readTables(planned.context.tools, film)
  return hasPicturesOfSource({ planned, film, tables })
}

/** What programs are started with to check a film, and what is found. */
async function checked(planned: Planned, film: Rendered) {
  const started: string[] = []
  const onCommand: typeof planned.context.tools.onCommand = ({ args }) => {
    started.push(args.join(' '))
  }
  const context = { ...planned.context, tools: { ...planned.context.tools, onCommand } }
  const checks = await checkFilm({ ...planned, context }, film)
  return { started, doubts: checks.filter(({ result }) => result !== 'passed') }
}

const silent = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=3', '-c:v', 'libx264', '-bf', '2']

it('starts no program for a film without sound that has the pictures of its source', async () => {
  const { planned, film } = await made(await makeFile('mp4', [...silent, '-pix_fmt', 'yuv420p']))
  expect(film.plan.video).toBe('copy')
  expect(await checked(planned, film)).toEqual({ started: [], doubts: [] })
})

it('decodes only the sound of a film that has the pictures of its source', async () => {
  const { planned, film } = await made(await aLivelyVideo(2), { normalizeAudio: true })
  expect(film.plan.video).toBe('copy')
  const { started, doubts } = await checked(planned, film)
  expect(doubts).toEqual([])
  expect(started).toHaveLength(1)
  expect(started[0]).not.toContain('rawvideo')
})

it('compares a film that has other pictures than its source', async () => {
  const { planned, film, folder } = await made(await aLivelyVideo(2))
  expect(await isOfSource(planned, film)).toBe(true)
  const file = path.join(folder, film.name)
  const changed = async (...how: string[]) => {
    const to = await makeFile('mp4', ['-i', file, '-c', 'copy', ...how])
    return isOfSource(planned, await withFile(planned, film, to))
  }
  expect(await changed()).toBe(true)
  expect(await changed('-metadata:s:v', 'rotate=180')).toBe(false)
  expect(await changed('-t', '1')).toBe(false)
  expect(await changed('-bsf:v', 'setts=ts=TS+eq(N\\,9)*100')).toBe(false)
})

it('compares a film in which a single bit differs', async () => {
  const { planned, film, folder } = await made(await aLivelyVideo(2))
  const bytes = readFileSync(path.join(folder, film.name))
  const track = (await readIndex(path.join(folder, film.name)))?.[film.facts.video.index]
  const at = (track?.positions[20] ?? 0) + (track?.sizes[20] ?? 0) - 1
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(path.join(folder, 'one-bit.mp4'), bytes)
  expect(await isOfSource(planned, { ...film, name: 'one-bit.mp4' })).toBe(false)
})

it('compares a film of which the request wants something else', async () => {
  const { planned, film } = await made(await aLivelyVideo(2))
  const { context } = planned
  const options = { ...context.job.options, flip: 'horizontal' } as const
  const wanted = { ...planned, context: { ...context, job: { ...context.job, options } } }
  expect(await isOfSource(wanted, film)).toBe(false)
})
