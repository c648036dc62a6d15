import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { checkFilm } from '../../../../containers/job/check/check-film.ts'
import { readTables } from '../../../../containers/job/check/film-tables.ts'
import { lookAtAll, picturesIn } from '../../../../containers/job/check/look-at-film.ts'
import { placesToCompare } from '../../../../containers/job/check/shown/places-to-compare.ts'
import {
  besideThePlan,
  graphOf,
  looksAtPlaces,
} from '../../../../containers/job/check/shown/planned-pictures.ts'
import { picturesOn } from '../../../../containers/job/check/shown/picture-grid.ts'
import { planFilm } from '../../../../containers/job/outputs/film-output.ts'
import type { Planned } from '../../../../containers/job/plan/plan-job.ts'
import { root } from '../../../../scripts/machine/checkout.ts'
import { campaignTag } from '../../../../scripts/test/suites.ts'
import { makeFile, makeVideo } from '../../../support/node/fixtures.ts'
import { cutHere } from '../../../support/containers/films/job-here.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import {
  aLivelyVideo,
  filmOf,
  planOf,
  expectPassed,
} from '../../../support/containers/films/checked-film.ts'

async function made(file: string, options: Record<string, unknown>) {
  const planned = await planOf([file], options)
  return { planned, film: await filmOf(planned) }
}

/** The same clips, of which this is said. */
function said(planned: Planned, video: Partial<Planned['clips'][0]['facts']['video']>): Planned {
  const saidOf = (clip: Planned['clips'][0]) => ({
    ...clip,
    facts: { ...clip.facts, video: { ...clip.facts.video, ...video } },
  })
  const [first, ...others] = planned.clips
  const [shaped, ...othersShaped] = planned.shaped.clips
  return {
    ...planned,
    clips: [saidOf(first), ...others.map(saidOf)],
    shaped: { ...planned.shaped, clips: [saidOf(shaped), ...othersShaped.map(saidOf)] },
  }
}

/** A video whose pictures are filled up with zeros to a steady rate, as some senders do. */
async function aFilledVideo(): Promise<string> {
  const file = `${await aLivelyVideo(1)}.filled.mp4`
  const stored = `${file}.h264`
  const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args])
  ffmpeg('-i', await aLivelyVideo(1), '-an', '-c', 'copy', '-bsf:v', 'h264_mp4toannexb', stored)
  const units = readFileSync(stored).toString('latin1').split('\0\0\0\u0001').slice(1)
  const zeros = '\0'.repeat(200)
  const filled = units.map((unit) => `\0\0\0\u0001${unit}${unit.length > 100 ? zeros : ''}`)
  writeFileSync(stored, Buffer.from(filled.join(''), 'latin1'))
  ffmpeg('-r', '25', '-i', stored, '-c', 'copy', file)
  return file
}

it('does not fail a film of two pictures because few bits hold them badly', async () => {
  const file = await makeFile('mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=0.04'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
  ])
  const tools = await aToolContext()
  const cut = await cutHere(tools, { sources: [{ file }], options: { rotate: 180 } })
  const asked = { name: 'small', outputFormat: 'mov', height: 240, fps: 60 } as const
  const planned = await planFilm(cut, asked, 0)
  const checks = await checkFilm(planned, await filmOf(planned))
  expect(checks.filter(({ result }) => result === 'failed')).toEqual([])
})

it('sees the colours of a film whose source stores them for each pixel as they are', async () => {
  const file = await makeFile('mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=3'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv444p'],
  ])
  const { planned, film } = await made(file, { compressionQuality: 80 })
  await expectPassed(planned, film)
})

it('takes no dark part of a lively film for one that became black or stands still', async () => {
  const box = 'drawbox=x=104:y=0:w=112:h=180:c=black:t=fill'
  const file = await aLivelyVideo(3, ['-vf', box])
  const crop = { x: '35%', y: '20%', width: '30%', height: '60%' }
  const asked = [{ aspectRatio: '9:16' }, { crop }, { crop, flip: 'both', rotate: 90 }]
  for (const options of asked) {
    const { planned, film } = await made(file, options)
    await expectPassed(planned, film)
  }
})

it('shows the picture before for those that an AVI has dropped, also in WebM', async () => {
  const film = await aLivelyVideo(1.5)
  const avi = `${film}.dropped.avi`
  const dropped = ['-vf', "select='not(between(n,1,2))'", '-c:v', 'mpeg4', '-c:a', 'mp3']
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', film, ...dropped, avi])
  const webm = await made(avi, { outputFormat: 'webm' })
  await expectPassed(webm.planned, webm.film)
})

it('takes pictures that an AVI does not have for no others that come twice', async () => {
  const picture = 'testsrc2=s=320x240:r=25:d=2'
  const sound = ['-f', 'lavfi', '-i', 'sine=d=2:r=22050']
  const coding = ['-c:v', 'mpeg4', '-q:v', '4', '-c:a', 'libmp3lame']
  const avi = await makeFile('avi', ['-f', 'lavfi', '-i', picture, ...sound, ...coding])
  const { planned, film } = await made(avi, {})
  await expectPassed(planned, film)
})

it('knows how long the last picture of a copy stands, whatever is stored behind it', async () => {
  const coding = ['-c:v', 'libx264', '-g', '25', '-bf', '2', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=3']
  const longer = ['-f', 'lavfi', '-i', 'sine=d=5']
  const file = await makeFile('mp4', [...picture, ...longer, ...coding])
  const { planned, film } = await made(file, { trim: { start: 2 } })
  expect(film.plan.video).toBe('copy')
  await expectPassed(planned, film)
})

it('compares nothing with a source that has no picture yet', async () => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=30:d=2.5', '-f', 'lavfi', '-i']
  const late = [...picture, 'sine=d=2.5', '-vf', 'trim=start=0.8', '-copyts', '-c:a', 'flac']
  const file = await makeFile('mkv', [...late, '-c:v', 'libx264', '-pix_fmt', 'yuv420p'])
  const { planned, film } = await made(file, { outputFormat: 'webm' })
  await expectPassed(planned, film)
})

it('compares slides with those that are shown at the same time', async () => {
  const [plain, bars] = ['color=teal:', 'smptehdbars='].map((one) => `${one}s=320x180:r=25:d=2`)
  const slides = `${plain}[a];${bars}[b];[a][b]concat`
  const coding = ['-c:v', 'libx264', '-crf', '21', '-pix_fmt', 'yuv420p']
  const file = await makeFile('mp4', ['-f', 'lavfi', '-i', slides, ...coding])
  const { planned, film } = await made(file, { rotate: 90 })
  await expectPassed(planned, film)
})

it('takes a still between two scenes for no film that stands still', async () => {
  const scenes = ['testsrc2=', 'smptebars=', 'mandelbrot='].map((one) => `${one}s=160x90:r=25`)
  const brief = 'trim=end_frame=25,setpts=PTS-STARTPTS,format=yuv420p'
  const cut = scenes.map((one, i) => `${one},${brief}[${i}]`).join(';')
  const picture = ['-f', 'lavfi', '-i', `${cut};[0][1][2]concat=n=3`]
  const sound = ['-f', 'lavfi', '-i', 'sine=d=3', '-c:a', 'aac']
  const file = await makeFile('mp4', [...picture, ...sound, '-c:v', 'libx264'])
  const { planned, film } = await made(file, { outputFormat: 'webm' })
  await expectPassed(planned, film)
})

it('looks at no more of a source than a film at half the speed shows of it', async () => {
  const [still, next] = ['smptebars', 'testsrc2'].map((one) => `${one}=s=320x180:r=25:d=1`)
  const picture = `${still}[a];${next}[b];[a][b]concat`
  const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  const file = await makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...coding])
  const { planned, film } = await made(file, { speed: 0.5 })
  await expectPassed(planned, film)
})

it('finds nothing wrong with a drawn film that may have few bytes', async () => {
  const { planned, film } = await made(path.join(root, 'docs/examples/intro.mp4'), {
    compressionQuality: 80,
    aspectRatio: '9:16',
    resizeMode: 'cover',
  })
  await expectPassed(planned, film)
})

it.each([
  { what: 'were mixed into two', sound: 'aac', outputFormat: 'avi', channels: 2 },
  { what: 'are still six', sound: 'flac', outputFormat: 'mov', channels: 6 },
])('knows how loud six channels are that $what', async ({ sound, outputFormat, channels }) => {
  const noise = 'anoisesrc=c=pink:a=0.3:seed=1,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0'
  const six = ['-f', 'lavfi', '-i', noise, '-map', '0:v', '-map', '1:a', '-t', '1.5']
  const coding = ['-c:v', 'copy', '-c:a', sound]
  const file = await makeFile('mkv', ['-i', await aLivelyVideo(2), ...six, ...coding])
  const { planned, film } = await made(file, { outputFormat })
  expect(film.facts.audio?.channels).toBe(channels)
  const checks = await expectPassed(planned, film)
  expect(checks.find(({ name }) => name === 'loudness')?.message).toBe(
    'It is as loud as its source.',
  )
})

it('knows how loud six channels may be that are cut and mixed into two', async () => {
  const loud =
    "aevalsrc='0.8*sin(2513*t)|0|0|0|0|0':c=5.1:s=48000,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0"
  const sound = ['-f', 'lavfi', '-i', loud, '-map', '0:v', '-map', '2:a', '-t', '4']
  const file = await aLivelyVideo(4, sound)
  const planned = await planOf([file, file], { combine: true, trim: { start: 0.5 } })
  await expectPassed(planned, await filmOf(planned))
})

it.each([
  { what: 'is full of noise', filters: 'geq=random(1)*255:128:128', seconds: 1 },
  { what: 'has a single picture', filters: 'trim=end_frame=1', seconds: 0.04 },
])('does not say that a film is stored coarsely that $what', async ({ filters, seconds }) => {
  const coding = ['-an', '-c:v', 'libx264', '-crf', '8', '-pix_fmt', 'yuv420p']
  const film = ['-vf', `scale=320:180,${filters}`, ...coding]
  const file = await makeVideo({ seconds, size: '320x180', filters: film, coding: [] })
  const { planned, film: result } = await made(file, { compressionQuality: 60 })
  const checks = await checkFilm(planned, result)
  expect(checks.filter((one) => one.result !== 'passed')).toEqual([])
})

it('does not say that a film is stored coarsely in which much stands still', async () => {
  const flash = "drawbox=t=fill:c=white:enable='between(mod(t,1),0.5,0.6)'"
  const picture = `testsrc2=s=332x186:r=30:d=4,${flash}`
  const coding = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '20']
  const file = await makeFile('webm', ['-f', 'lavfi', '-i', picture, ...coding, '-b:v', '0'])
  const { planned, film } = await made(file, { aspectRatio: '1:1' })
  await expectPassed(planned, film)
})

it('does not take pictures for others that come twice because few bits hold none of their noise', async () => {
  const noise = 'smptehdbars=s=400x226:r=30:d=2,noise=alls=20:allf=t:all_seed=1'
  const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p']
  const file = await makeFile('mp4', ['-f', 'lavfi', '-i', noise, ...coding])
  const { planned, film } = await made(file, { compressionQuality: 35 })
  await expectPassed(planned, film)
})

it('knows that an encoder keeps little of a film of a few pixels a side', async () => {
  const coding = ['-c:v', 'libx264', '-crf', '18', '-pix_fmt', 'yuv420p']
  const file = await makeFile('mp4', ['-f', 'lavfi', '-i', 'testsrc2=s=16x16:r=30:d=3', ...coding])
  const { planned, film } = await made(file, { compressionQuality: 45 })
  await expectPassed(planned, film)
})

it('takes a rhythm that fades for none that comes a beat early', async () => {
  const beats = "aevalsrc='if(lt(mod(t,1),0.1),0.5*sin(6283*t),0.05*sin(1256*t))':s=48000:d=3"
  const sound = ['-f', 'lavfi', '-i', beats, '-map', '0:v', '-map', '2:a', '-t', '3']
  const { planned, film } = await made(await aLivelyVideo(3, sound), {
    audio: { fadeOut: { duration: 1 } },
  })
  await expectPassed(planned, film)
})

it('finds the key pictures of a copy that is decoded sooner at its beginning than elsewhere', async () => {
  const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '50', '-pix_fmt', 'yuv420p']
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=10']
  const film = await makeFile('mp4', [...source, ...coding])
  // The last pictures that are stored are shown after some that are not there.
  const file = await makeFile('mp4', ['-i', film, '-t', '6', '-c', 'copy'])
  const { planned, film: copy } = await made(file, { trim: { start: 1 } })
  expect(copy.plan.video).toBe('copy')
  await expectPassed(planned, copy)
})

it('reads all pictures of a WebM, whose times are rounded', async () => {
  const coding = ['-c:v', 'libvpx', '-deadline', 'realtime', '-b:v', '500k', '-an']
  const film = { seconds: 1, size: '160x90', fps: 30, extension: 'webm', coding }
  const file = await makeVideo({ ...film, tone: null })
  const { planned, film: copy } = await made(file, { outputFormat: 'webm' })
  const input = { name: copy.name, demuxer: 'matroska', from: 0.0166, isAtKey: true }
  const looks = [{ kind: 'pictures', input, index: 0, count: 12 } as const]
  const { seen, complaint } = await lookAtAll(planned.context.tools, looks, 'all')
  expect(complaint).toBeUndefined()
  expect(picturesIn(seen[0])).toHaveLength(12)
})

it('reads a few pictures from a key picture on, however short they are', async () => {
  const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '50', '-pix_fmt', 'yuv420p']
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=30:d=4']
  const { planned, film } = await made(await makeFile('mp4', [...source, ...coding]), {})
  const looked = { planned, film, tables: await readTables(planned.context.tools, film) }
  const looks = looksAtPlaces(looked, [{ first: 50, count: 6 }])
  const { seen } = await lookAtAll(planned.context.tools, looks, 'few')
  expect(looks.map(({ grid }, i) => picturesOn(grid, seen[i]).length)).toEqual([6])
})

it('keeps a copy whose pictures are filled up with zeros, which decoders skip', async () => {
  const { planned, film } = await made(await aFilledVideo(), {})
  expect(film.plan.video).toBe('copy')
  await expectPassed(planned, film)
})

it('checks a copy of what cannot be encoded as far as it can', async () => {
  const { planned, film } = await made(await aLivelyVideo(), {})
  const dolby = said(planned, { dolbyVisionProfile: 5 })
  const checks = await checkFilm(dolby, film)
  expect(checks.find(({ name }) => name === 'pictures')?.message).toMatch(/could not be made/)
})

it('compares all of a small film, and only the beginning of one where the key pictures of its source are too far apart', async () => {
  const { planned, film } = await made(await aLivelyVideo(), { compressionQuality: 80 })
  const tables = await readTables(planned.context.tools, film)
  const comparedIn = async (own: Planned) => {
    const looked = { planned: own, film, tables }
    const graph = await graphOf(looked)
    const places = placesToCompare(looked, graph?.tables)
    const { seen } = await lookAtAll(own.context.tools, looksAtPlaces(looked, places), 'look')
    return (await besideThePlan(looked, graph, places, seen)).map(({ at }) => at)
  }
  const all = await comparedIn(planned)
  expect(all).toHaveLength(17)
  expect(all.at(-1)).toBeCloseTo(3.76)
  expect(await comparedIn(said(planned, { width: 7680, height: 4320 }))).toEqual([0])
})

it('knows pictures that are equally bright by their colours', async () => {
  const filters = ['-vf', "scale=160:90,lutyuv=y=16,hue=h='40*n'"]
  const { planned, film } = await made(await aLivelyVideo(2, filters), { compressionQuality: 80 })
  const checks = await checkFilm(planned, film)
  expect(checks.find(({ name }) => name === 'pictures')).toMatchObject({ result: 'passed' })
})

it('doubts little of a film whose source has lost bytes', { tags: [campaignTag] }, async () => {
  const file = `${await aLivelyVideo()}.ts`
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'copy']
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', await aLivelyVideo(), ...coding, file])
  const packets = readFileSync(file)
  const left = Array.from({ length: packets.length / 188 }, (_, i) =>
    i > 80 && i % 97 === 0 ? Buffer.alloc(0) : packets.subarray(i * 188, (i + 1) * 188),
  )
  writeFileSync(file, Buffer.concat(left))
  const one = await made(file, { speed: 1.5 })
  const looked = { ...one, tables: await readTables(one.planned.context.tools, one.film) }
  const graph = await graphOf(looked)
  const places = placesToCompare(looked, graph?.tables)
  const { seen } = await lookAtAll(one.planned.context.tools, looksAtPlaces(looked, places), 'look')
  const beside = await besideThePlan(looked, graph, places, seen)
  expect(beside.length).toBeGreaterThan(0)
  expect(beside.every(({ isDamaged }) => isDamaged)).toBe(true)
  expect(
    (await checkFilm(one.planned, one.film)).filter(({ result }) => result === 'failed'),
  ).toEqual([])
})

it('does not mind that short tones begin and end less sharply when they are played slower', async () => {
  const beeps = '0.5*sin(2*PI*1000*t)*lt(mod(t,1),0.1)'
  const file = await makeFile('mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=6'],
    ...['-f', 'lavfi', '-i', `aevalsrc='${beeps}|${beeps}':c=stereo:d=6:s=48000`],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  ])
  const { planned, film } = await made(file, { speed: 0.5 })
  await expectPassed(planned, film)
})
