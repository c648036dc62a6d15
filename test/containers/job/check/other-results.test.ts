import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  checkSoundFile,
  readSound,
} from '../../../../containers/job/check/files/check-sound-file.ts'
import { lookAtPictures } from '../../../../containers/job/check/files/look-at-pictures.ts'
import type { ToolContext } from '../../../../containers/ffmpeg/process/run-tool.ts'
import type { ResultFile } from '../../../../containers/job/render/finish-output.ts'
import { aLivelyVideo, planOf } from '../../../support/containers/films/checked-film.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { ffmpeg } from '../../../support/containers/run-tool.ts'
import { aServiceForAll, succeed } from '../../../support/containers/service-for-all.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

const service = aServiceForAll()

it('looks at every kind of result, and takes a still of what did not pass', async () => {
  const corner = { type: 'text', text: 'At the edge', position: { anchor: 'top-left' } }
  const outputs = [
    { name: 'film' },
    { name: 'stream', outputFormat: 'hls' },
    ...['mp3', 'm4a', 'ogg'].map((outputFormat) => ({ name: outputFormat, outputFormat })),
    { name: 'part', outputFormat: 'wav', startTime: 1, duration: 1.5 },
    { name: 'still', outputFormat: 'jpg', times: [0.5, 1] },
    { name: 'moves', outputFormat: 'gif', duration: 1 },
    { name: 'webp', outputFormat: 'webp', duration: 1 },
    { name: 'sheets', outputFormat: 'sprite' },
  ]
  const inputs = [service.sources.file(await aLivelyVideo())]
  const options = { elements: [{ ...corner, timing: { startTime: 1, endTime: 2 } }], outputs }
  const { receiver, end } = await succeed(service.worker, { inputs, options })
  const told = end.named?.map(({ name, checks = [] }) => {
    const doubts = checks.filter(({ result }) => result !== 'passed')
    return { name, count: checks.length, doubts }
  })
  const warned = {
    ...{ name: 'title-safe', result: 'warned', stretch: { startTime: 1, endTime: 2 } },
    message: 'elements[0] (a text) lies at the edge, which some screens cover: at 1 s.',
  }
  expect(told).toEqual([
    { name: 'film', count: 15, doubts: [{ ...warned, still: 'check-1' }] },
    { name: 'stream', count: 13, doubts: [{ ...warned, still: 'check-2' }] },
    ...['mp3', 'm4a', 'ogg', 'part'].map((name) => ({ name, count: 6, doubts: [] })),
    { name: 'still', count: 3, doubts: [] },
    ...['moves', 'webp'].map((name) => ({ name, count: 5, doubts: [] })),
    { name: 'sheets', count: 3, doubts: [] },
  ])
  const asked = end.trace.commands.filter(
    ({ program, args }) => program === 'ffprobe' && /^file:sound.*mp3$/.test(args.at(-1) ?? ''),
  )
  expect(asked).toHaveLength(1)
  for (const kind of ['check-1', 'check-2'] as const) {
    expect(receiver.output(kind).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  }
})

it('knows which picture is seen at a moment, however long it has stood', async () => {
  const gap = ['-vf', "select='not(between(t,1.7,2.4))'", '-fps_mode', 'vfr']
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=30:d=3']
  const file = await makeFile('mp4', [...picture, ...gap, '-pix_fmt', 'yuv420p'])
  const outputs = [{ name: 'still', outputFormat: 'png', times: [1.9, 2.42] }]
  const { end } = await succeed(service.worker, {
    inputs: [service.sources.file(file)],
    options: { outputs },
  })
  expect(end.named?.[0]?.checks?.map(({ result }) => result)).toEqual(Array(3).fill('passed'))
})

it('doubts no picture that is a few pixels high, nor one that a source at a higher rate shows earlier', async () => {
  const flash = "drawbox=color=white:t=fill:enable='between(mod(t,1),0.4999,0.5999)'"
  const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p']
  const aFilm = async (source: string) =>
    makeFile('mp4', ['-f', 'lavfi', '-i', `testsrc2=${source},${flash}`, ...coding])
  // An alarm is an error here.
  const passes = async (files: readonly string[], options: Record<string, unknown>) =>
    succeed(service.worker, { inputs: files.map((file) => service.sources.file(file)), options })
  const sprite = { name: 'sheets', outputFormat: 'sprite', interval: 1 }
  await passes([await aFilm('s=2400x80:r=25:d=4')], { outputs: [sprite] })
  const slower = { name: 'film', fps: 24, width: 240 }
  const clips = [await aFilm('s=480x270:r=17/2:d=4'), await aFilm('s=480x270:r=144:d=3')]
  await passes(clips, { combine: true, outputs: [slower] })
})

it('finds what is wrong with a sound and with pictures', async () => {
  const planned = await planOf([await aLivelyVideo()], { removeNoise: true })
  const { tools } = planned.context
  const inFolder = (name: string) => path.join(tools.folder, name)
  const doubts = async (how: readonly string[], codec = 'mp3') => {
    const film = inFolder('in0')
    await ffmpeg(['-y', '-i', film, '-vn', '-c:a', 'libmp3lame', ...how, inFolder('sound.mp3')])
    const track = { coding: ['-ar', '48000'] }
    const plan = { durationSeconds: 4, channels: 2, warnings: [], track }
    const file = { name: 'sound.mp3', demuxer: 'mp3', codec, plan, from: 0 }
    const checks = await checkSoundFile(planned, { ...file, is: await readSound(tools, file) })
    return checks.filter(({ result }) => result !== 'passed').map(({ name }) => name)
  }
  expect(await doubts([])).toEqual([])
  expect(await doubts(['-t', '3'])).toContain('length')
  expect(await doubts(['-af', "volume=0:enable='between(t,1,2)'"])).toEqual(['silence'])
  expect(await doubts(['-af', 'adelay=300:all=1,atrim=end=4'])).toContain('sync')
  expect(await doubts(['-ar', '22050'])).toEqual(['playback'])

  const gif = { file: 'made.gif', kind: 'output-moves', extension: 'gif', contentType: 'image/gif' }
  await ffmpeg(['-y', '-i', inFolder('in0'), '-t', '2', '-r', '10', inFolder('made.gif')])
  const looked = async (planned: object) =>
    doubtsIn(tools, { ...gif, kind: 'output-moves' }, planned)
  expect(await looked({})).toEqual([])
  expect(await looked({ seconds: 3 })).toEqual(['length'])
  expect(await looked({ fps: 8 })).toEqual(['seams'])
  expect(await looked({ width: 322 })).toEqual(['length'])
  await copyFile(inFolder('made.gif'), inFolder('whole.gif'))
  const bytes = await readFile(inFolder('whole.gif'))
  await writeFile(inFolder('made.gif'), bytes.subarray(0, 900))
  expect(await looked({})).toContain('decoding')
})

async function doubtsIn(tools: ToolContext, file: ResultFile, planned: object) {
  const asked = { width: 320, height: 180, seconds: 2, fps: 10, ...planned }
  const { checks } = await lookAtPictures(tools, [file], { sizes: [asked], moving: asked })
  return checks.flatMap(({ name, result }) => (result === 'passed' ? [] : [name]))
}

it('finds what is wrong with a WebP whose pictures move', async () => {
  const tools = await aToolContext()
  const inFolder = (name: string) => path.join(tools.folder, name)
  const file = { file: 'made.webp', extension: 'webp', contentType: 'image/webp' }
  const coding = ['-c:v', 'libwebp_anim', '-loop', '0']
  const source = await aLivelyVideo()
  await ffmpeg(['-y', '-i', source, '-t', '2', '-r', '10', ...coding, inFolder(file.file)])
  const looked = async (planned: object) =>
    doubtsIn(tools, { ...file, kind: 'output-moves' }, planned)
  expect(await looked({})).toEqual([])
  expect(await looked({ seconds: 3 })).toEqual(['length'])
  expect(await looked({ fps: 8 })).toEqual(['seams'])
  expect(await looked({ width: 322 })).toEqual(['length'])
  const bytes = await readFile(inFolder(file.file))
  await writeFile(inFolder(file.file), bytes.subarray(0, bytes.length - 900))
  expect(await looked({})).toEqual(['decoding'])
})

it('finds nothing wrong with a WebP of pictures that are all the same, unless it has another size or is cut off', async () => {
  const tools = await aToolContext()
  const file = { file: 'still.webp', extension: 'webp', contentType: 'image/webp' }
  const made = path.join(tools.folder, file.file)
  const looked = async (planned: object) =>
    doubtsIn(tools, { ...file, kind: 'output-moves' }, planned)
  const size = { width: 322 }
  const formats = { 'VP8 ': ['yuv420p'], VP8L: ['bgra', '-lossless', '1'], VP8X: ['yuva420p'] }
  for (const [chunk, [format = '', ...coding]] of Object.entries(formats)) {
    const source = 'color=red@0.5:size=322x180:rate=10:duration=2,format=bgra'
    const coded = ['-pix_fmt', format, '-c:v', 'libwebp_anim', ...coding, '-loop', '0']
    await ffmpeg(['-y', '-f', 'lavfi', '-i', source, ...coded, made])
    const bytes = await readFile(made)
    expect([bytes.toString('latin1', 12, 16), bytes.includes('ANMF')]).toEqual([chunk, false])
    expect(await looked(size), chunk).toEqual([])
    expect(await looked({}), chunk).toEqual(['length'])
    await writeFile(made, bytes.subarray(0, bytes.length - 20))
    expect(await looked(size), chunk).toEqual(['decoding'])
  }
})
