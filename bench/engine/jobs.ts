import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RenderPlan } from '../../containers/render/plan-render.ts'
import { ffmpeg } from '../../test/support/containers/run-tool.ts'

/** The files in the folder of the benchmark. */
export const material = {
  talk: 'talk.mp4',
  other: 'other.mp4',
  logo: 'logo.png',
  music: 'music.mp3',
} as const
type Material = keyof typeof material

type Command = readonly string[]

export type Rendering = {
  readonly sources: readonly Material[]
  readonly options: Record<string, unknown>
  /** A file for each entry of `elements`. */
  readonly elements?: readonly Material[]
}

export type EngineJob = Rendering & {
  readonly name: string
  /** The command that an ffmpeg expert would write for the same result; the sound is the one prepared for the plan. */
  readonly byHand: (plan: RenderPlan, out: string) => Command
}

const { talk, other, logo, music } = material
const url = 'https://media.example/element'
const sound = ['-f', 'f32le', '-ar', '48000', '-ac', '2', '-i', 'sound.f32']
const limiter = 'aresample=192000,alimiter=limit=0.724:attack=5:release=50:level=0,aresample=48000'
const mp4 = ['-movflags', '+faststart', '-f', 'mp4']

/** The encoders of the plan with its settings, because the benchmark is about everything around them. */
function coded(plan: RenderPlan, kind: 'video' | 'audio'): Command {
  const [video, audio] = plan.tracks
  const coding = (kind === 'video' ? video : audio)?.coding
  if (!coding) throw new Error(`The plan has no ${kind}`)
  return coding
}

function both(plan: RenderPlan): Command {
  return [...coded(plan, 'video'), ...coded(plan, 'audio')]
}

const cutAt = [
  [1, 1.6],
  [2.4, 3],
] as const
const cuts = cutAt.map(([startTime, endTime]) => ({ startTime, endTime }))
const kept = `not(${cutAt.map(([from, to]) => `between(t,${from},${to - 0.02})`).join('+')})`
const cutPicture = `select='${kept}',setpts=N/FRAME_RATE/TB`

const contain = 'pad=iw:ceil(iw*16/9/2)*2:0:(oh-ih)/2:color=0x336699'
const logoOver = 'overlay=x=main_w-overlay_w:y=0'
const joined =
  '[0:v]setsar=1,fps=30,format=yuv420p[a];[1:v]scale=-2:480:flags=bicubic,pad=854:480:(ow-iw)/2:0,' +
  'setsar=1,fps=30,format=yuv420p[b];' +
  '[0:a]aresample=48000,aformat=channel_layouts=stereo[c];' +
  '[1:a]aresample=48000,aformat=channel_layouts=stereo[d];[a][c][b][d]concat=n=2:v=1:a=1[v][s]'

/** A list that names the clip twice, for the `concat` demuxer. */
const rowOfTalks = { name: 'talks.txt', text: `file '${talk}'\nfile '${talk}'\n` }
const joinedTalks =
  '[1:a]aresample=48000,aformat=channel_layouts=stereo[a];' +
  '[2:a]aresample=48000,aformat=channel_layouts=stereo[b];[a][b]concat=n=2:v=0:a=1[s]'

export const engineJobs: readonly EngineJob[] = [
  {
    name: 'compress to quality 60',
    sources: ['talk'],
    options: { compressionQuality: 60 },
    byHand: (plan, out) => ['-i', talk, ...both(plan), ...mp4, out],
  },
  {
    name: '9:16, contain, with bars',
    sources: ['talk'],
    options: { aspectRatio: '9:16', resizeMode: 'contain', backgroundColor: '#336699' },
    byHand: (plan, out) => [
      ...['-i', talk, '-vf', contain, ...coded(plan, 'video'), '-c:a', 'copy', ...mp4, out],
    ],
  },
  {
    name: 'normalize the sound only',
    sources: ['talk'],
    options: { normalizeAudio: true },
    byHand: (plan, out) => [
      ...['-i', talk, ...sound, '-map', '0:v', '-map', '1:a', '-c:v', 'copy'],
      ...['-af', `volume=${plan.sound?.gainDb ?? 0}dB,${limiter}`, ...coded(plan, 'audio')],
      ...[...mp4, out],
    ],
  },
  {
    name: 'cut twice and normalize',
    sources: ['talk'],
    options: { removeSegments: cuts, normalizeAudio: true },
    byHand: (plan, out) => [
      ...['-i', talk, ...sound, '-map', '0:v', '-map', '1:a', '-vf', cutPicture],
      ...['-af', `volume=${plan.sound?.gainDb ?? 0}dB,${limiter}`, ...both(plan), ...mp4, out],
    ],
  },
  {
    name: 'logo and music',
    sources: ['talk'],
    elements: ['logo', 'music'],
    options: {
      elements: [
        { type: 'image', url, position: { anchor: 'top-right' } },
        { type: 'audio', url, effects: { volume: 0.2 } },
      ],
    },
    byHand: (plan, out) => [
      ...['-i', talk, '-i', logo, '-i', music, '-filter_complex'],
      `[0:v][1:v]${logoOver}[v];[2:a]volume=0.2,aformat=channel_layouts=stereo[m];` +
        `[0:a][m]amix=duration=first:normalize=0,${limiter}[s]`,
      ...['-map', '[v]', '-map', '[s]', ...both(plan), ...mp4, out],
    ],
  },
  {
    name: 'join two that differ',
    sources: ['talk', 'other'],
    options: {},
    byHand: (plan, out) => [
      ...['-i', talk, '-i', other, '-filter_complex', joined, '-map', '[v]', '-map', '[s]'],
      ...[...both(plan), ...mp4, out],
    ],
  },
  {
    name: 'join two of one kind',
    sources: ['talk', 'talk'],
    options: {},
    byHand: (plan, out) => [
      ...['-auto_convert', '0', '-f', 'concat', '-i', rowOfTalks.name, '-i', talk, '-i', talk],
      ...['-filter_complex', joinedTalks, '-map', '0:v', '-map', '[s]'],
      ...[...both(plan), ...mp4, out],
    ],
  },
  {
    name: 'WebM of quality 50',
    sources: ['talk'],
    options: { outputFormat: 'webm', compressionQuality: 50 },
    byHand: (plan, out) => ['-i', talk, ...both(plan), '-f', 'webm', out],
  },
]

/** Makes the clips, the logo and the music, the same ones every time. */
export async function makeMaterial(folder: string, seconds: number, size = '854x480') {
  const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-pix_fmt', 'yuv420p']
  const coded = [...h264, '-c:a', 'aac', '-b:a', '160k', '-shortest']
  const voice = `anoisesrc=d=${seconds}:c=pink:a=0.4:seed=5,lowpass=f=3000,tremolo=f=1.5:d=0.8`
  const stereo = ['-ac', '2', '-ar', '48000']
  const files = {
    [material.talk]: [
      // Like camera footage: moving detail, and noise.
      ...lavfi(`mandelbrot=s=${size}:r=30,trim=duration=${seconds},noise=alls=6:allf=t`),
      ...[...lavfi(voice), ...coded, ...stereo],
    ],
    [material.other]: [
      ...lavfi(`testsrc2=s=720x576:r=25:d=${seconds}`),
      ...[...lavfi(voice), ...coded, ...stereo],
    ],
    [material.logo]: [...lavfi('color=c=red@0.5:s=160x90,format=rgba'), '-frames:v', '1'],
    [material.music]: [...lavfi(`sine=f=330:d=${seconds}`), '-b:a', '128k'],
  }
  await writeFile(path.join(folder, rowOfTalks.name), rowOfTalks.text)
  for (const [name, args] of Object.entries(files)) {
    await ffmpeg([...args, path.join(folder, name)])
  }
}

function lavfi(source: string): string[] {
  return ['-f', 'lavfi', '-i', source]
}
