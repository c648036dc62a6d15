import path from 'node:path'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkFilm } from '../../../../containers/job/check/check-film.ts'
import type { Planned } from '../../../../containers/job/plan/plan-job.ts'
import type { Rendered } from '../../../../containers/job/render/run-plan.ts'
import {
  aLivelyVideo,
  filmOf,
  planOf,
  withFile,
} from '../../../support/containers/films/checked-film.ts'
import { ffmpeg } from '../../../support/containers/run-tool.ts'

const cues = [
  { startTime: 0.2, endTime: 1.2, text: 'The first words' },
  { startTime: 1.4, endTime: 2.4, text: 'Words in the middle' },
]
const vtt = (): string => {
  const at = (seconds: number): string => `00:00:0${seconds.toFixed(3)}`
  return `WEBVTT\n\n${cues.map(({ startTime, endTime, text }) => `${at(startTime)} --> ${at(endTime)}\n${text}\n`).join('\n')}`
}

type Film = { planned: Planned; film: Rendered }
const films: Record<string, Film> = {}

async function make(options: Record<string, unknown>): Promise<Film> {
  const planned = await planOf([await aLivelyVideo()], options)
  return { planned, film: await filmOf(planned) }
}

beforeAll(async () => {
  films['plain'] = await make({
    trim: { start: 0.5 },
    compressionQuality: 80,
  })
  films['loud'] = await make({ normalizeAudio: true, compressionQuality: 80 })
  films['captioned'] = await make({ captions: { source: { text: vtt() } } })
})

afterAll(async () => {
  for (const { planned } of Object.values(films))
    await rm(planned.context.tools.folder, { recursive: true })
})

const x264 = [
  '-c:v',
  'libx264',
  '-preset',
  'fast',
  '-crf',
  '23',
  '-profile:v',
  'high',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '62',
  '-movflags',
  '+faststart',
]
const picture = (filter: string): string[] => ['-vf', filter, ...x264, '-c:a', 'copy']
const sound = (filter: string): string[] => [
  '-c:v',
  'copy',
  '-af',
  filter,
  '-c:a',
  'aac',
  '-b:a',
  '128k',
  '-movflags',
  '+faststart',
]

type Fault = { of: string; check: string; how: string[] }
const faults: Record<string, Fault> = {
  'half a second is missing at the end': {
    of: 'plain',
    check: 'length',
    how: ['-t', '3', '-c', 'copy', '-movflags', '+faststart'],
  },
  'some pictures are dropped': {
    of: 'plain',
    check: 'length',
    how: picture("select='not(between(n,30,35))',setpts=N/25/TB"),
  },
  'one picture is dropped and leaves a gap': {
    of: 'plain',
    check: 'seams',
    how: ['-fps_mode', 'passthrough', ...picture("select='not(eq(n,40))'")],
  },
  'the sound is lost': {
    of: 'plain',
    check: 'length',
    how: ['-an', '-c:v', 'copy', '-movflags', '+faststart'],
  },
  'a part is black': {
    of: 'plain',
    check: 'black',
    how: picture("drawbox=t=fill:c=black:enable='between(t,1,1.8)'"),
  },
  'all is black': { of: 'plain', check: 'black', how: picture('drawbox=t=fill:c=black') },
  'a part stands still': {
    of: 'plain',
    check: 'frozen',
    how: picture('loop=loop=20:size=1:start=30,setpts=N/25/TB,trim=end_frame=87'),
  },
  'a part is silent': {
    of: 'plain',
    check: 'silence',
    how: sound("volume=0:enable='between(t,0.5,1.5)'"),
  },
  'all is silent': { of: 'plain', check: 'silence', how: sound('volume=0') },
  'the sound comes late': {
    of: 'plain',
    check: 'sync',
    how: sound('adelay=250:all=1,atrim=end=3.5'),
  },
  'the sound comes early': {
    of: 'plain',
    check: 'sync',
    how: sound('atrim=start=0.2,asetpts=PTS-STARTPTS,apad=whole_dur=3.5'),
  },
  'the sound ends early': { of: 'plain', check: 'sync', how: sound('atrim=end=2.5') },
  'the sound drifts': { of: 'plain', check: 'sync', how: sound('atempo=0.93,atrim=end=3.5') },
  'the sound is far too quiet': { of: 'plain', check: 'loudness', how: sound('volume=0.3') },
  'the loudness is not as asked': { of: 'loud', check: 'loudness', how: sound('volume=-6dB') },
  'the peaks are too high': {
    of: 'loud',
    check: 'loudness',
    how: sound('volume=18dB,volume=-1dB'),
  },
  'the captions are missing': {
    of: 'captioned',
    check: 'captions',
    how: picture('crop=iw:ih*0.6:0:0,scale=320:180'),
  },
  'the range is told wrongly': {
    of: 'plain',
    check: 'colors',
    how: [
      '-c',
      'copy',
      '-bsf:v',
      'h264_metadata=video_full_range_flag=1',
      '-movflags',
      '+faststart',
    ],
  },
  'it is marked as HDR': {
    of: 'plain',
    check: 'colors',
    how: [
      '-c',
      'copy',
      '-bsf:v',
      'h264_metadata=transfer_characteristics=16:colour_primaries=9:matrix_coefficients=9',
      '-movflags',
      '+faststart',
    ],
  },
  'its colours are converted wrongly': {
    of: 'plain',
    check: 'colors',
    how: picture('scale=in_range=full:out_range=limited,format=yuv420p,setparams=range=limited'),
  },
  'its pictures have four times the colours': {
    of: 'plain',
    check: 'colors',
    how: [
      '-c:a',
      'copy',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv444p',
      '-movflags',
      '+faststart',
    ],
  },
  'the index stands at the end': { of: 'plain', check: 'playback', how: ['-c', 'copy'] },
  'its codec is another': {
    of: 'plain',
    check: 'playback',
    how: ['-c:a', 'copy', '-c:v', 'mpeg4', '-q:v', '3', '-movflags', '+faststart'],
  },
  'its level is beyond all players': {
    of: 'plain',
    check: 'playback',
    how: ['-c', 'copy', '-bsf:v', 'h264_metadata=level=62', '-movflags', '+faststart'],
  },
}

describe('checkFilm', () => {
  it('finds nothing in what came out as it had to', async () => {
    for (const [name, { planned, film }] of Object.entries(films)) {
      const checks = await checkFilm(planned, film)
      const found = checks.filter(({ result }) => result !== 'passed')
      expect({ name, found }).toEqual({ name, found: [] })
      expect(checks.length).toBeGreaterThanOrEqual(10)
    }
  })

  it.each(Object.keys(faults))('finds that %s', async (name) => {
    const fault = faults[name]
    const made = fault && films[fault.of]
    if (!made) throw new Error(name)
    const { planned, film } = made
    const { folder } = planned.context.tools
    const file = path.join(folder, 'fault.mp4')
    await ffmpeg(['-y', '-i', path.join(folder, film.name), ...fault.how, file])
    const checks = await checkFilm(planned, await withFile(planned, film, file))
    const found = checks.filter(({ result }) => result !== 'passed').map((one) => one.name)
    expect(found).toContain(fault.check)
  })

  it('finds that pictures cannot be decoded', async () => {
    const { planned, film } = films['plain'] ?? (await make({}))
    const { folder } = planned.context.tools
    const bytes = await readFile(path.join(folder, film.name))
    const from = Math.floor(bytes.length / 2)
    for (let i = 0; i < 4_000; i++) bytes[from + i] = (i * 37 + 11) % 251
    const file = path.join(folder, 'fault.mp4')
    await writeFile(file, bytes)
    const checks = await checkFilm(planned, await withFile(planned, film, file))
    const found = checks.filter(({ result }) => result !== 'passed').map((one) => one.name)
    expect(found).toContain('decoding')
  })
})
