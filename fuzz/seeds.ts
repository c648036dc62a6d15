import { readFile } from 'node:fs/promises'
import { makeFile, makeVideo } from '../test/support/node/fixtures.ts'

export type ElementType = 'image' | 'gif' | 'video' | 'audio'
type Seed = { readonly name: string; readonly bytes: Buffer }
export type SourceKind = 'video' | 'picture' | 'sound'
type SourceSeed = Seed & { readonly kind: SourceKind }
type ElementSeed = Seed & { readonly type: ElementType }
/** At least one. */
type SomeOf<Value> = readonly [Value, ...Value[]]
export type Seeds = {
  readonly videos: SomeOf<SourceSeed>
  /** Sources that a clip is drawn of. */
  readonly drawn: SomeOf<SourceSeed>
  readonly elements: SomeOf<ElementSeed>
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10']
const fragments = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof']
const vp8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-b:v', '100k', '-c:a', 'libopus']

/** The same picture and sound in every accepted container, encoded in the most common ways. */
const videos: SomeOf<readonly [extension: string, coding: readonly string[]]> = [
  ['mp4', [...h264, '-bf', '2', '-c:a', 'aac']],
  ['mp4', [...h264, ...fragments, '-c:a', 'aac']],
  ['mp4', [...h264, '-movflags', '+faststart', '-metadata:s:v:0', 'rotate=90', '-c:a', 'aac']],
  ['mov', ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le']],
  ['mov', ['-c:v', 'prores_ks', '-profile:v', '0', '-c:a', 'alac']],
  ['avi', ['-c:v', 'mpeg4', '-bf', '2', '-c:a', 'libmp3lame']],
  ['avi', ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le']],
  ['webm', vp8],
  ['webm', [...vp8, '-live', '1']],
  ['webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libvorbis']],
  ['mkv', [...h264, '-bf', '2', '-c:a', 'flac']],
  ['ts', [...h264, '-bf', '2', '-c:a', 'aac']],
  ['m2ts', [...h264, '-c:a', 'ac3', '-mpegts_m2ts_mode', '1']],
  ['flv', [...h264, '-c:a', 'aac']],
  ['flv', ['-c:v', 'flv1', '-c:a', 'libmp3lame', '-flvflags', 'add_keyframe_index']],
  ['mpg', ['-c:v', 'mpeg2video', '-r', '25', '-bf', '2', '-c:a', 'mp2']],
  ['ogv', ['-c:v', 'libtheora', '-c:a', 'libvorbis']],
  ['3gp', ['-c:v', 'mpeg4', '-c:a', 'aac']],
]

const picture = (size: string) => ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=10:d=1`]

const elements: SomeOf<readonly [ElementType, string, readonly string[]]> = [
  ['image', 'png', [...picture('60x40'), '-frames:v', '1']],
  ['image', 'jpg', [...picture('60x40'), '-frames:v', '1']],
  ['gif', 'gif', picture('40x40')],
  ['audio', 'wav', ['-f', 'lavfi', '-i', 'sine=d=0.5']],
  ['audio', 'mp3', ['-f', 'lavfi', '-i', 'sine=d=0.5']],
  ['video', 'webm', [...picture('40x40'), '-c:v', 'libvpx', '-deadline', 'realtime']],
]

const still = [...picture('60x40'), '-frames:v', '1']
const sine = ['-f', 'lavfi', '-i', 'sine=d=0.5']
const tagged = ['-metadata', 'title=A title', '-metadata', 'artist=Somebody']
const cover = [...sine, ...still.slice(0, 4), '-map', '0', '-map', '1', '-frames:v', '1']
const pinned = [...cover, '-c:v', 'png', '-disposition:v', 'attached_pic', ...tagged]

/** Every accepted picture and sound, with the tags and covers that it may have. */
const drawn: SomeOf<readonly [SourceKind, string, readonly string[]]> = [
  ['picture', 'jpg', still],
  ['picture', 'png', still],
  ['picture', 'gif', picture('40x40')],
  ['picture', 'webp', still],
  ['picture', 'webp', [...still, '-lossless', '1']],
  ['picture', 'avif', [...still, '-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '8']],
  ['sound', 'mp3', [...pinned, '-id3v2_version', '3']],
  ['sound', 'mp3', pinned],
  ['sound', 'wav', [...sine, ...tagged, '-write_bext', '1']],
  ['sound', 'wav', [...sine, '-c:a', 'adpcm_ms']],
  ['sound', 'flac', pinned],
  ['sound', 'm4a', [...pinned, '-c:a', 'aac']],
  ['sound', 'm4a', [...sine, '-c:a', 'alac']],
  ['sound', 'ogg', [...sine, ...tagged, '-c:a', 'libvorbis']],
  ['sound', 'opus', [...sine, ...tagged]],
  ['sound', 'oga', [...sine, '-c:a', 'flac']],
]

export async function makeSeeds(): Promise<Seeds> {
  return {
    videos: await inTurn(videos, async ([extension, coding]) => ({
      kind: 'video',
      name: `${extension} ${coding[1] ?? ''}`,
      bytes: await readFile(await makeVideo({ seconds: 1, size: '96x64', extension, coding })),
    })),
    drawn: await inTurn(drawn, async ([kind, extension, args]) => ({
      ...{ kind, name: extension, bytes: await readFile(await makeFile(extension, args)) },
    })),
    elements: await inTurn(elements, async ([type, extension, args]) => ({
      ...{ type, name: extension, bytes: await readFile(await makeFile(extension, args)) },
    })),
  }
}

async function inTurn<Row, Made>(
  [first, ...others]: SomeOf<Row>,
  make: (row: Row) => Promise<Made>,
): Promise<SomeOf<Made>> {
  const made: [Made, ...Made[]] = [await make(first)]
  for (const row of others) made.push(await make(row))
  return made
}
