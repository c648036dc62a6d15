import { copyFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { addChapters } from '../../../../containers/job/outputs/film-chapters.ts'
import { listed } from '../../../support/containers/run-tool.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const titles = ['Bread, ovens', 'a=b; #1 \\ “Łódź”', 'Tents']
const chapters = titles.map((title, i) => ({ startTime: i * 10, title }))

/** 30 s with B-pictures, and a sound whose first samples the player leaves out. */
async function aFilm() {
  const tools = await aToolContext()
  const made = await makeFile('mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=25:duration=30'],
    ...['-f', 'lavfi', '-i', 'sine=sample_rate=48000:duration=30'],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-bf',
      '2',
      '-c:a',
      'aac',
      '-movflags',
      'faststart',
    ],
  ])
  const file = path.join(tools.folder, 'film.mp4')
  await copyFile(made, file)
  return { tools, file }
}

const packets = 'packet=stream_index,pts_time,dts_time,flags,size,data_hash'
const packetsOf = async (file: string) =>
  (
    await Promise.all(
      ['v:0', 'a:0'].map(async (one) =>
        listed(file, packets, ['-select_streams', one, '-show_data_hash', 'md5']),
      ),
    )
  ).flat()
const chaptersIn = async (file: string) =>
  listed(file, 'chapter=start_time,end_time:chapter_tags=title', [])
const usual = { name: 'film.mp4', format: 'mp4', from: 0, to: 30, mostBytes: 1e9 } as const
const job = (tools: Awaited<ReturnType<typeof aFilm>>['tools']) => ({ tools, log: () => undefined })

describe('addChapters', () => {
  it('lists them in the file, and leaves every packet as it is', async () => {
    const { tools, file } = await aFilm()
    const before = await packetsOf(file)
    expect(await addChapters(job(tools), usual, chapters)).toBeUndefined()
    expect(await chaptersIn(file)).toEqual([
      '0.000000,10.000000,"Bread, ovens"',
      `10.000000,20.000000,${titles[1]}`,
      '20.000000,30.000000,Tents',
    ])
    expect(await packetsOf(file)).toEqual(before)
    expect(await readdir(tools.folder)).toEqual(['film.mp4'])
  })

  it('moves them into the time of a part of the film, and lists none there of less than ten seconds', async () => {
    const { tools, file } = await aFilm()
    const long = [
      ...[0, 30, 60].map((startTime, i) => ({ startTime, title: titles[i] ?? '' })),
      { startTime: 75, title: 'Boats' },
    ]
    const listedIn = async (from: number, to: number) => {
      await addChapters(job(tools), { ...usual, from, to }, long)
      return chaptersIn(file)
    }
    expect(await listedIn(15, 45)).toEqual([
      '0.000000,15.000000,"Bread, ovens"',
      `15.000000,30.000000,${titles[1]}`,
    ])
    expect(await listedIn(25, 55)).toEqual([`0.000000,30.000000,${titles[1]}`])
    expect(await listedIn(48, 78)).toEqual([
      `0.000000,12.000000,${titles[1]}`,
      '12.000000,30.000000,Tents',
    ])
  })

  it('leaves them out of a film that would become too large, and says so', async () => {
    const { tools, file } = await aFilm()
    expect(await addChapters(job(tools), { ...usual, mostBytes: 1_000 }, chapters)).toBe(
      'chapters: left out of the file, which would be larger than it may be.',
    )
    expect(await chaptersIn(file)).toEqual([])
    expect(await readdir(tools.folder)).toEqual(['film.mp4'])
  })
})
