import { expect } from 'vitest'
import { faultOfFilm } from '../../../containers/cuts/proof/prove-film.ts'
import type { FrameSpan } from '../../../containers/timeline/frame-spans.ts'
import { Random } from '../../../fuzz/random.ts'
import { cutFilm } from '../../support/containers/films/cut-film.ts'
import { ffmpeg } from '../../support/containers/run-tool.ts'
import { makeFile } from '../../support/node/fixtures.ts'
import { campaign } from '../../support/node/campaign.ts'
import { hashesIn } from '../../../containers/ffmpeg/picture-hashes.ts'

/** A film of moving noise in a random coding. */
async function randomFilm(random: Random): Promise<string> {
  const rate = random.pick(['25', '30000/1001', '60'])
  const dropped = random.chance(0.3) ? ",select='not(eq(mod(n,7),3))'" : ''
  const source = `testsrc2=s=192x108:r=${rate}:d=12,noise=alls=8:allf=t${dropped}`
  const params = {
    keyint: random.pick([20, 25, 30]),
    scenecut: 0,
    'open-gop': random.pick([0, 1, 1]),
    bframes: random.pick([0, 1, 2, 3, 5, 8]),
    'b-adapt': random.pick([0, 1]),
    'b-pyramid': random.pick(['none', 'strict', 'normal']),
    ref: random.pick([1, 2, 3, 5]),
    weightp: random.pick([0, 1, 2]),
    cabac: random.pick([0, 1]),
    slices: random.pick([0, 0, 4]),
    direct: random.pick(['spatial', 'temporal']),
    'repeat-headers': random.pick([0, 0, 1]),
  }
  const settings = Object.entries(params).map(([name, value]) => `${name}=${value}`)
  const packed = random.chance(0.3) ? ['-movflags', 'frag_keyframe+empty_moov'] : []
  return makeFile(random.pick(['mp4', 'mov']), [
    ...['-f', 'lavfi', '-i', source, '-frames:v', '240', '-fps_mode', 'vfr'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'],
    ...['-x264-params', settings.join(':'), ...packed],
  ])
}

/** Up to three cuts, with a few pictures between them or many. */
function randomCuts(random: Random): FrameSpan[] {
  let at = 20
  return Array.from({ length: 1 + random.below(3) }, () => {
    const from = at + random.below(40)
    at = from + 1 + random.below(30)
    return { from, to: at++ }
  })
}

/** A checksum of each decoded picture. Whatever a decoder complains of ends it. */
async function pictureSums(file: string): Promise<string[]> {
  const strict = ['-xerror', '-err_detect', 'explode']
  const text = await ffmpeg([
    ...[...strict, '-i', file, '-map', '0:v:0', '-fps_mode', 'passthrough'],
    ...['-enc_time_base', '1/90000', '-f', 'framemd5', '-'],
  ])
  return hashesIn(text)
}

for (let seed = 1; seed <= 5; seed++) {
  campaign(`copied pictures are those of the source, number ${seed}`, async () => {
    const random = new Random(53, seed)
    const source = await randomFilm(random)
    const removed = randomCuts(random)
    const { tools, file, result, cutting, film } = await cutFilm(source, removed)
    expect(await faultOfFilm(tools, result, cutting, film.samples)).toBeUndefined()
    const [before, after] = [await pictureSums(source), await pictureSums(file)]
    const places = cutting.pieces.flatMap(({ kind, places }) =>
      Array.from({ length: places.to - places.from }, (_, i) => ({
        isCopied: kind === 'run',
        sum: before[places.from + i],
      })),
    )
    expect(after).toHaveLength(places.length)
    const other = places.filter(({ isCopied, sum }, i) => isCopied && after[i] !== sum)
    expect(other).toEqual([])
  })
}
