import { afterAll, beforeAll, expect, it } from 'vitest'
import { campaignTag } from '../../../../scripts/test/suites.ts'
import {
  makeFaultyFfmpeg,
  type FaultyFfmpeg,
  type Spoiling,
} from '../../../support/containers/faulty-ffmpeg.ts'
import { aLivelyVideo } from '../../../support/containers/films/checked-film.ts'
import { startMediaWorker, type MediaWorker } from '../../../support/containers/media-worker.ts'
import { aSourceServer, runJob } from '../../../support/containers/service-for-all.ts'

let ffmpeg: FaultyFfmpeg
let worker: MediaWorker
beforeAll(async () => {
  ffmpeg = await makeFaultyFfmpeg('others')
  worker = await startMediaWorker({ PATH: ffmpeg.path })
})
afterAll(async () => {
  await Promise.all([worker.stop(), ffmpeg.remove()])
})

/** Makes the result again with these arguments of ffmpeg. */
const again = (how: string): Spoiling =>
  `$real -nostdin -v error -y -i "$made" ${how} "again.\${made##*.}" && mv "again.\${made##*.}" "$made"`
const gif = (filter: string): Spoiling =>
  again(`-filter_complex "${filter},split[a][b];[a]palettegen[p];[b][p]paletteuse"`)
const still = (filter: string): Spoiling => again(`-vf "${filter}" -frames:v 1 -update 1`)
const sound = (filter: string): Spoiling => again(`-af "${filter}" -c:a libmp3lame -b:a 160k`)
const webp = (source: string): Spoiling =>
  `$real -nostdin -v error -y -f lavfi -i "${source}" -c:v libwebp_anim -loop 0 again.webp && mv again.webp $made`
const inFragments = '-movflags frag_keyframe+delay_moov+default_base_moof -brand iso6 -f mp4'
const coded =
  '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 100 -keyint_min 100 -sc_threshold 0'
const only = (file: string, how: Spoiling): Spoiling => `case $made in *${file}.mp4) ${how} ;; esac`
const smaller = (filter: string): Spoiling =>
  only('v144', again(`-vf "${filter}" ${coded} -flags +cgop -profile:v high ${inFragments}`))
const cutOff: Spoiling = 'truncate -s $(($(stat -c %s $made) / 2)) $made'

const outputs = {
  gif: { outputFormat: 'gif', duration: 2 },
  webp: { outputFormat: 'webp', duration: 2 },
  jpg: { outputFormat: 'jpg', times: [0.5, 2] },
  sprite: { outputFormat: 'sprite' },
  mp3: { outputFormat: 'mp3' },
  hls: { outputFormat: 'hls', heights: [180, 144] },
} as const

const warned = ['succeeded', 'warned'] as const
const failed = ['failed', 'failed'] as const
type Ends = typeof warned | typeof failed

/** What each is, how it is spoilt, the check that finds it, and how the video ends. */
const faults: Readonly<Record<string, readonly [keyof typeof outputs, Spoiling, string, Ends]>> = {
  'a GIF has one picture': ['gif', again('-frames:v 1'), 'length', failed],
  'a GIF is mirrored': ['gif', gif('hflip'), 'pictures', failed],
  'a GIF stands still at its end': [
    'gif',
    gif('loop=loop=200:size=1:start=16,setpts=N/12/TB,trim=end=2'),
    'pictures',
    warned,
  ],
  'a GIF hurries and waits': [
    'gif',
    again(
      '-filter_complex "setpts=\'if(lt(N,12),N*0.04,0.48+(N-12)*0.126)/TB\',split[a][b];[a]palettegen[p];[b][p]paletteuse" -fps_mode passthrough',
    ),
    'length',
    failed,
  ],
  'a GIF is shown once': ['gif', again('-c copy -loop -1'), 'playback', failed],
  'a GIF is cut off': ['gif', cutOff, 'decoding', failed],
  'a WebP shows something else': [
    'webp',
    webp('testsrc2=s=320x180:r=12:d=2,hflip'),
    'pictures',
    failed,
  ],
  'a WebP is slower': ['webp', webp('testsrc2=s=320x180:r=5:d=2'), 'seams', failed],
  'JPEGs are upside down': ['jpg', still('vflip'), 'pictures', failed],
  'JPEGs are smaller': ['jpg', still('scale=iw/2:-2'), 'length', failed],
  'JPEGs are cut off': ['jpg', cutOff, 'decoding', failed],
  'a sheet has lost its colours': ['sprite', still('hue=s=0'), 'pictures', failed],
  'a sheet is smaller': ['sprite', still('scale=iw/2:-2'), 'length', failed],
  'every wave of a sound is turned over': ['mp3', sound('volume=-1'), 'channels', warned],
  'a sound has gaps': [
    'mp3',
    sound("volume='if(lt(mod(t,0.5),0.1),0,1)':eval=frame"),
    'silence',
    warned,
  ],
  'noise lies under a sound': [
    'mp3',
    sound('aeval=val(0)+0.2*random(0)|val(1)+0.2*random(1):c=same'),
    'loudness',
    warned,
  ],
  'a smaller size of a stream is mirrored': ['hls', smaller('hflip'), 'pictures', failed],
  'a smaller size of a stream is black': [
    'hls',
    smaller('drawbox=t=fill:c=black'),
    'pictures',
    failed,
  ],
  'a smaller size of a stream ends too soon': [
    'hls',
    only('v144', again(`-t 5 -c copy ${inFragments}`)),
    'length',
    failed,
  ],
  'a smaller size of a stream is cut off': ['hls', only('v144', cutOff), 'decoding', failed],
  'the sound of a stream is cut off': ['hls', only('audio', cutOff), 'decoding', failed],
  'the sizes of a stream have no fragments': [
    'hls',
    only('v180', again('-c copy -f mp4')),
    'decoding',
    failed,
  ],
}

for (const [name, [kind, how, check, [ends, result]]] of Object.entries(faults)) {
  it(`finds that ${name}`, { tags: [campaignTag] }, async () => {
    await ffmpeg.plant(how)
    const sources = await aSourceServer()
    const inputs = [sources.file(await aLivelyVideo(kind === 'hls' ? 10 : 4))]
    const options = { outputs: [{ name: 'it', ...outputs[kind] }] }
    const { end } = await runJob(worker, { inputs, options }, { allowsAlarms: true })
    if (end.type !== 'succeeded' && end.type !== 'failed') throw new Error(JSON.stringify(end))
    const checks = end.type === 'failed' ? end.checks : end.named?.[0]?.checks
    const found = checks?.find((one) => one.result !== 'passed' && one.name === check)
    expect([end.type, found?.result]).toEqual([ends, result])
    if (end.type === 'failed') expect(end.message).toContain(`(it): ${check}: `)
  })
}
