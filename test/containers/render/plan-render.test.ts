import { describe, expect, it } from 'vitest'
import { optionsSchema } from '../../../worker/contract/options/options.ts'
import { openClip } from '../../../containers/render/frame/open-clip.ts'
import { compilePlan, type RenderPlan } from '../../../containers/render/plan-render.ts'
import { planClips } from '../../support/containers/films/plan-clips.ts'
import type { MediaFacts } from '../../../containers/timeline/media-facts.ts'
import { someFacts } from '../../support/containers/films/facts.ts'

const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 5_000 }

function plan(options: Record<string, unknown>, facts: MediaFacts = someFacts()) {
  return planClips([openClip('in0', facts, {})], optionsSchema.parse(options), caps)
}

/** What follows the guarded input. */
function argsFor(options: Record<string, unknown>, facts?: MediaFacts): string {
  const planned = plan(options, facts)
  const { args } = compilePlan(planned, 'out', caps)
  return args.join(' ').split('file:in0 ').at(-1) ?? ''
}

/** Whatever size the first picture has, the others are brought to. */
const held = '-filter_complex_threads 2 -filter_complex [0:0]scale=w=320:h=240[f0p0]'

const closing = '-sn -dn -map_metadata -1 -map_chapters -1 -t 6.040 -fs 5000 -fflags +bitexact'

describe('planRender', () => {
  it('copies both streams when nothing changes', () => {
    expect(argsFor({})).toBe(
      `-map 0:0 -c:v copy -map 0:1 -c:a copy ${closing} -movflags +faststart -f mp4 file:out`,
    )
  })

  it('encodes an mp4 that every player can play when less quality is requested', () => {
    expect(argsFor({ compressionQuality: 50 })).toBe(
      `${held} -map [f0p0] -c:v libx264 -crf 29.152 -preset fast -profile:v high -g 63 -pix_fmt yuv420p ` +
        '-color_range tv -threads 2 -map 0:1 -c:a copy ' +
        `${closing} -movflags +faststart -f mp4 file:out`,
    )
  })

  it('encodes VP9 and Opus for webm', () => {
    expect(argsFor({ outputFormat: 'webm', compressionQuality: 50 })).toBe(
      `${held} -map [f0p0] -c:v libvpx-vp9 -crf 39 -b:v 0 -deadline good -cpu-used 4 -row-mt 1 ` +
        '-fps_mode:v cfr -tile-columns 0 -g 63 -pix_fmt yuv420p -color_range tv -threads 2 ' +
        '-map 0:1 -c:a libopus -b:a 115k -ar 48000 -ac 2 ' +
        `${closing} -f webm file:out`,
    )
  })

  it('encodes avi at a constant rate, without B-frames, with MP3', () => {
    expect(argsFor({ outputFormat: 'avi' })).toBe(
      `${held};[f0p0]tpad=stop_mode=clone:stop=1[f1p0];[f1p0]fps=fps=25/1:start_time=0[f2p0];` +
        '[f2p0]tpad=stop_mode=clone:stop=100[f3p0];[f3p0]trim=end_frame=100[f4p0];' +
        '[0:1]aresample=sample_rate=48000:async=1:first_pts=0[f5p0];' +
        '[f5p0]atrim=start_sample=1105[f6p0];[f6p0]asetpts=expr=PTS-STARTPTS[f7p0];' +
        '[f7p0]volume=volume=1.0526[f8p0] ' +
        '-map [f4p0] -c:v libx264 -crf 14 -preset fast -profile:v high -bf 0 -g 63 ' +
        '-pix_fmt yuv420p -color_range tv -threads 2 ' +
        '-map [f8p0] -c:a libmp3lame -b:a 160k -ar 48000 -ac 2 ' +
        `${closing} -avoid_negative_ts disabled -f avi file:out`,
    )
  })

  it('copies only what players of the container expect', () => {
    const kinds = (format: string, facts: MediaFacts): string => {
      const { video, audio } = plan({ outputFormat: format }, facts)
      return `${video} ${audio}`
    }
    const vp9 = someFacts({ format: 'webm', video: { codec: 'vp9' }, audio: { codec: 'opus' } })
    const old = someFacts({ format: 'avi', video: { codec: 'mpeg4' }, audio: { codec: 'mp3' } })
    expect(kinds('mov', someFacts({ video: { codec: 'hevc' } }))).toBe('copy copy')
    expect(kinds('mp4', someFacts({ audio: { codec: 'mp3' } }))).toBe('copy encode')
    expect(kinds('mp4', someFacts({ video: { codec: 'av1' } }))).toBe('encode copy')
    expect(kinds('webm', vp9)).toBe('copy copy')
    expect(kinds('mp4', vp9)).toBe('encode encode')
    expect(kinds('avi', old)).toBe('copy copy')
    expect(kinds('avi', someFacts())).toBe('encode encode')
    expect(kinds('mp4', someFacts({ audio: null }))).toBe('copy none')
  })

  it.each([
    [{}, null],
    [{ compressionQuality: 60 }, 'compressionQuality is below 100'],
    [{ outputFormat: 'webm' }, 'h264 of mp4 files is not copied into webm'],
    [{ color: { contrast: 1.1 } }, 'color changes its pictures'],
    [{ speed: 2, flip: 'both', outputFormat: 'webm' }, 'flip and speed change its pictures'],
    [{ aspectRatio: '1:1', resizeMode: 'contain' }, 'aspectRatio changes its pictures'],
    [{ outputFormat: 'webm', trim: { start: 1 } }, 'h264 of mp4 files is not copied into webm'],
  ])('says why pictures are encoded for %o', (options, why) => {
    expect(plan(options).whyEncoded ?? null).toBe(why)
  })

  it('tags copied HEVC as Apple players require', () => {
    expect(argsFor({}, someFacts({ video: { codec: 'hevc' } }))).toContain('-c:v copy -tag:v hvc1')
  })

  it('crops odd sides by one pixel, because 4:2:0 needs even ones', () => {
    const odd = someFacts({ video: { width: 321, height: 241 } })
    expect(argsFor({ compressionQuality: 50 }, odd)).toContain(
      '[0:0]scale=w=321:h=241[f0p0];[f0p0]crop=w=320:h=240:x=0:y=0',
    )
  })

  it('converts stretched pixels, full range and other pixel formats to the standard ones', () => {
    const square = someFacts({ video: { hasSquarePixels: false, width: 640 } })
    const full = someFacts({ video: { isFullRange: true, pixelFormat: 'yuvj420p' } })
    const deep = someFacts({ video: { pixelFormat: 'yuv420p10le' } })
    const graph = (facts: MediaFacts): string => argsFor({ compressionQuality: 50 }, facts)
    expect(graph(square)).toContain('scale=w=640:h=240:flags=lanczos[f0p0];[f0p0]setsar=sar=1')
    expect(graph(full)).toContain(
      '[f0p0]scale=out_range=limited[f1p0];[f1p0]format=pix_fmts=yuv420p',
    )
    expect(graph(deep)).toContain('[f0p0]format=pix_fmts=yuv420p')
  })

  it('maps HDR to the standard range only when it encodes', () => {
    const hdr = someFacts({ video: { transfer: 'pq', pixelFormat: 'yuv420p10le', codec: 'hevc' } })
    expect(argsFor({}, hdr)).not.toContain('tonemap')
    expect(argsFor({ compressionQuality: 50 }, hdr)).toContain('tonemap=tonemap=hable')
  })

  it('refuses to convert Dolby Vision without a base layer, but copies it', () => {
    const dolby = someFacts({ video: { codec: 'hevc', dolbyVisionProfile: 5 } })
    expect(plan({}, dolby).video).toBe('copy')
    expect(() => plan({ compressionQuality: 50 }, dolby)).toThrow('Dolby Vision profile 5')
  })

  it('keeps the uneven times of a phone, and gives a source with too many pictures a steady rate', () => {
    const phone = someFacts({ video: { hasConstantRate: false, averageFps: 27.5 } })
    const racing = someFacts({ video: { averageFps: 240, frameRate: { frames: 120, seconds: 1 } } })
    expect(argsFor({ compressionQuality: 50 }, phone)).toContain(
      '-fps_mode:v vfr -enc_time_base:v 1:90000',
    )
    expect(argsFor({ compressionQuality: 50 }, racing)).toContain('[f1p0]fps=fps=120/1')
  })

  it('plans a remux as well if the result must not be larger than the source', () => {
    expect(plan({ compressionQuality: 99 }).mostBytes).toBe(100_000)
    expect(plan({ compressionQuality: 100 }).remux).toBeUndefined()
    expect(plan({ compressionQuality: 99, outputFormat: 'webm' }).remux).toBeUndefined()
  })

  it('compares a result that may be larger than the copied picture with a remux, whatever happens to the sound', () => {
    const facts = someFacts({ audio: { codec: 'mp3' }, video: { bitRate: 40_000 } })
    const { remux } = plan({ compressionQuality: 99 }, facts)
    expect(remux).toMatchObject({ audio: 'encode', leastBytes: 20_000 })
    expect(remux?.tracks.map(({ coding }) => coding[1])).toEqual(['copy', 'aac'])
  })

  it('takes less memory for very large pictures', () => {
    const large = someFacts({ video: { width: 7680, height: 4320 } })
    expect(argsFor({ compressionQuality: 50 }, large)).toContain('rc-lookahead=10:ref=1')
  })

  it('refuses a video that is too large, or too large for its length, before any work', () => {
    const of = (width: number, height: number, durationSeconds: number): MediaFacts =>
      someFacts({ video: { width, height }, durationSeconds })
    expect(() => plan({ compressionQuality: 50 }, of(7680, 5300, 1))).toThrow(
      'The result would be too large: 7680 × 5300 pixels; at most 40000000 pixels are allowed.',
    )
    expect(() => plan({ compressionQuality: 50 }, of(7680, 4320, 4400))).toThrow(
      'The result would be too large: 4400 seconds of 7680 × 4320 pixels.',
    )
    expect(plan({ compressionQuality: 50 }, of(3840, 2160, 14_400)).width).toBe(3840)
  })

  it('names the part of a source that could not be read, and the source', () => {
    const cutOff = someFacts({ durationSeconds: 0.5, promisedSeconds: 35.229 })
    expect(plan({}, cutOff).warnings).toEqual([
      'The source says that it lasts 35.2 s; only 0.5 s of it could be read.',
    ])
    const clips = [openClip('in0', someFacts(), {}), openClip('in1', cutOff, {})] as const
    const joined = planClips(clips, optionsSchema.parse({ combine: true }), caps)
    expect(joined.warnings).toEqual([
      'files[1] says that it lasts 35.2 s; only 0.5 s of it could be read.',
    ])
  })

  it('warns if channels are lost, and only then', () => {
    const six = someFacts({ audio: { channels: 6 } })
    expect(plan({ compressionQuality: 50 }, six).warnings).toEqual([])
    expect(plan({ outputFormat: 'webm' }, six).warnings).toHaveLength(1)
  })

  it('mixes more than two channels into stereo, and says so, where their bits would not suffice', () => {
    const six = someFacts({ durationSeconds: 4, audio: { channels: 6, bitRate: 320_000 } })
    const asked = optionsSchema.parse({ aspectRatio: '1:1' })
    const within = (fitBytes: number) =>
      planClips([openClip('in0', six, {})], asked, { ...caps, maxOutputBytes: 1e6, fitBytes })
    const channelsOf = ({ tracks }: RenderPlan) =>
      tracks.flatMap(({ coding }) =>
        coding.flatMap((one, i) => (coding[i - 1] === '-ac' ? one : [])),
      )
    const [few, enough] = [within(60_000), within(400_000)]
    expect(channelsOf(few)).toEqual(['2'])
    expect(few.warnings).toEqual(['The source has sound in 6 channels; it was mixed into stereo.'])
    expect(channelsOf(enough)).toEqual(['6'])
    expect(enough.warnings).toEqual([])
  })
})
