import path from 'node:path'
import { root } from '../../scripts/machine/checkout.ts'
import { ffmpeg } from '../../test/support/containers/run-tool.ts'
import { ClipServer } from '../../test/support/node/clip-server.ts'
import type { Run } from '../benchmark.ts'

/** Typical footage with typical requests; the noisiest is the shortest, because it takes longest to encode. */
const films = {
  camera: ['testsrc2=size=1280x720:rate=25', 'noise=alls=14:allf=t', 3],
  small: ['mandelbrot=size=640x360:rate=30', 'noise=alls=6:allf=t', 8],
  tiny: ['mandelbrot=size=320x180:rate=25', 'noise=alls=6:allf=t', 6],
  screen: ['color=c=0xf4f0e6:size=1280x720:rate=25', 'drawgrid=w=80:h=80:t=2:c=gray', 20],
} as const
type Film = keyof typeof films
/** A film or several films to join, and the request for them. */
export type Wish = readonly [film: Film | readonly Film[], request: object]

const two = [
  { name: 'feed', aspectRatio: '4:5' },
  { name: 'wide', width: 640 },
]

const encodes: readonly Wish[] = [
  ['camera', { aspectRatio: '9:16' }],
  ['small', { compressionQuality: 60 }],
  ['screen', { aspectRatio: '1:1', captions: {} }],
  ['small', { enableTranscription: true }],
  ['tiny', { outputFormat: 'webm' }],
  ['small', { removeSilence: true }],
  ['screen', { removeNoise: true, normalizeAudio: true }],
  ['camera', { rotate: 90, enableThumbnail: true }],
  ['small', { aspectRatio: '9:16', removeSilence: true }],
  ['screen', { analyzeOnly: true }],
  ['camera', { outputs: two }],
  ['camera', { compressionQuality: 40, aspectRatio: '4:5' }],
  ['small', { outputFormat: 'avi' }],
  ['screen', { removeSilence: true, captions: {} }],
  [['small', 'screen'], { aspectRatio: '1:1' }],
  ['small', { outputs: [{ name: 'moves', outputFormat: 'gif', width: 240, duration: 4 }] }],
  ['camera', { enableAiAnalysis: true, aspectRatio: '1:1' }],
  ['screen', { speed: 1.5 }],
  ['camera', { stabilize: true }],
  ['small', { crop: { x: '10%', y: '10%', width: '80%', height: '60%' } }],
  ['screen', { outputs: [{ name: 'sound', outputFormat: 'mp3' }] }],
  ['tiny', { outputFormat: 'webm', compressionQuality: 50 }],
]

/** Requests whose pictures are copied. */
const copies: readonly Wish[] = [
  ['camera', {}],
  ['small', { removeSegments: [{ startTime: 3, endTime: 8 }] }],
  ['screen', { removeSilence: true }],
  ['small', { normalizeAudio: true }],
]

export const wishes = [...encodes, ...copies]

/** The same wish for other footage. */
export function ofOtherFilm([film, request]: Wish): Wish {
  return [typeof film === 'string' ? otherThan(film) : film.map(otherThan), request]
}

function otherThan(film: Film): Film {
  const names = Object.keys(films) as Film[]
  return names[(names.indexOf(film) + 1) % names.length] ?? film
}

export function bodyOf([film, request]: Wish, addresses: ReadonlyMap<string, string>): object {
  if (typeof film === 'string') return { fileUrl: addresses.get(film), ...request }
  return { combine: true, files: film.map((name) => ({ url: addresses.get(name) })), ...request }
}

/** The films with the speech of the examples, served to the media worker. */
export async function serveFilms({ folder, stop, atEnd }: Run) {
  const server = await ClipServer.start()
  atEnd(async () => server.close())
  const addresses = new Map<string, string>()
  const speech = path.join(root, 'docs/examples/speech.mp4')
  for (const [name, [picture, filter, seconds]] of Object.entries(films)) {
    const sources = ['-f', 'lavfi', '-i', picture, '-stream_loop', '-1', '-i', speech]
    const coding = ['-vf', `${filter},format=yuv420p`, '-c:v', 'libx264', '-preset', 'veryfast']
    const made = [...sources, ...coding, '-map', '0:v', '-map', '1:a', '-t', String(seconds)]
    const file = path.join(folder, `${name}.mp4`)
    stop.throwIfAborted()
    await ffmpeg([...made, file])
    addresses.set(name, server.serve(`${name}.mp4`, file))
  }
  return addresses
}
