import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawAss } from '../../../../containers/render/captions/draw-text.ts'
import type { Stream } from '../../../../containers/graph/filter-graph.ts'
import { campaign, campaignAfter } from '../../../support/node/campaign.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { seeded } from '../../../support/node/seeded.ts'
import { countedVideo } from '../../../support/containers/films/counted-video.ts'
import {
  halfWebm,
  plainImage,
  threeColorGif,
} from '../../../support/containers/films/element-files.ts'
import {
  codedFields,
  fieldsVideo,
  movingAt50,
} from '../../../support/containers/films/fields-video.ts'
import { hashWhole, hashWindows } from '../../../support/containers/films/film-windows.ts'
import type { Source } from '../../../support/containers/films/job-here.ts'
import { renderVideo, type RenderedVideo } from '../../../support/containers/films/render-video.ts'

type Case = {
  sources: () => Promise<readonly Source[]>
  asked: Record<string, unknown>
  files?: () => Promise<readonly string[]>
  captions?: boolean
}

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20']
const counted = async (spec: Partial<Parameters<typeof countedVideo>[0]> = {}) => [
  { file: await countedVideo({ seconds: 5, fps: 25, sound: null, ...spec }) },
]
const moving = async (filters: string, coding: readonly string[]) => [
  { file: await makeFile('mp4', ['-f', 'lavfi', '-i', `${movingAt50(4)}${filters}`, ...coding]) },
]

const url = 'https://media.example/element'
const image = { type: 'image', url, size: { width: '30%' } }
const gif = { type: 'gif', url, size: { width: '30%' } }
const movie = { type: 'video', url, size: { width: '30%' } }
const ease = { duration: 0.7, easing: 'ease-in-out' }
const faded = { effects: { opacity: 0.8, fadeIn: ease, fadeOut: ease } }
const own = { timing: { startTime: 0.7, endTime: 3.9 } }
const anImage = async () => [await plainImage('#ff8800', '32x32')]
const aMovie = async () => [await countedVideo({ seconds: 3, fps: 30, sound: null, coding: x264 })]

const ass = `[Script Info]
PlayResX: 320
PlayResY: 240

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, Outline, Alignment
Style: Default,Inter Bold,40,&H00FFFFFF,&H000000FF,2,5

[Events]
Format: Start, End, Style, Text
Dialogue: 0:00:00.60,0:00:02.20,Default,{\\k40}one {\\k60}two {\\k40}three
Dialogue: 0:00:02.40,0:00:04.00,Default,{\\t(\\fs60)}four
`

const cases: Record<string, Case> = {
  'fade of an image': {
    sources: counted,
    asked: { elements: [{ ...image, ...own, ...faded }] },
    files: anImage,
  },
  'own times': { sources: () => counted({ isVariable: true }), asked: { rotate: 180 } },
  'still image': {
    sources: () => counted({ isVariable: true }),
    asked: { elements: [{ ...image, ...own }] },
    files: anImage,
  },
  'cuts at 29.97': {
    sources: () => counted({ fps: '30000/1001' }),
    asked: {
      removeSegments: [
        { startTime: 1, endTime: 1.4 },
        { startTime: 2, endTime: 4.1 },
      ],
    },
  },
  'fades through a colour': {
    sources: async () => {
      const file = await countedVideo({ seconds: 3, fps: 25, sound: null })
      return [{ file, asked: { transition: { type: 'fade' } } }, { file }]
    },
    asked: {
      removeSegments: [{ startTime: 0.8, endTime: 1.4 }],
      cutTransition: { type: 'fade', duration: 0.6, color: '#3060a0' },
    },
  },
  'speed after cuts': {
    sources: counted,
    asked: { speed: 2, removeSegments: [{ startTime: 1, endTime: 1.4 }] },
  },
  'slowed, at 29.97': { sources: () => counted({ fps: '30000/1001' }), asked: { speed: 0.7 } },
  bars: {
    sources: counted,
    asked: { aspectRatio: '1:1', resizeMode: 'contain', backgroundColor: '#3060a0' },
  },
  'edits of the picture': {
    sources: counted,
    asked: {
      ...{ crop: { x: '10%', width: '80%' }, flip: 'horizontal', backgroundColor: 'blur' },
      ...{ aspectRatio: '1:1', resizeMode: 'contain' },
      ...{ fadeIn: { duration: 0.7, color: '#3060a0' }, fadeOut: { duration: 0.9 } },
    },
  },
  'looks of elements': {
    sources: counted,
    asked: {
      elements: [
        {
          ...{ ...movie, ...own, cornerRadius: '20%', rotation: 20 },
          ...{ chromaKey: { color: '#00ff00' }, crop: { width: '50%' } },
          effects: {
            enter: { type: 'from-left', duration: 0.5 },
            exit: { type: 'zoom', duration: 1 },
          },
        },
        { type: 'text', text: 'Hi', rotation: 30, repeat: 'tile' },
        { type: 'blur', size: { width: '30%', height: '30%' }, timing: { startTime: 0.5 } },
        { type: 'blur', style: 'pixels', position: { x: '60%' }, size: { width: 80, height: 60 } },
      ],
    },
    files: aMovie,
  },
  cover: { sources: counted, asked: { aspectRatio: '9:16', resizeMode: 'cover' } },
  'scenes that follow': {
    sources: counted,
    asked: {
      ...{ aspectRatio: '1:1', resizeMode: 'follow', backgroundColor: 'blur' },
      removeSegments: [{ startTime: 1.2, endTime: 1.8 }],
      reframe: {
        scenes: [
          { startTime: 0, endTime: 1, x: '20%' },
          { startTime: 1, endTime: 2.5, mode: 'halves' },
          { startTime: 3, endTime: 4, mode: 'wide' },
        ],
      },
    },
  },
  'stretch and turn': {
    sources: counted,
    asked: { rotate: 90, aspectRatio: '1:1', resizeMode: 'stretch' },
  },
  'steady AVI': { sources: () => counted({ isVariable: true }), asked: { outputFormat: 'avi' } },
  'VP9 source': {
    sources: () =>
      counted({
        extension: 'webm',
        coding: ['-c:v', 'libvpx-vp9', '-g', '20', '-deadline', 'realtime', '-cpu-used', '8'],
      }),
    asked: { outputFormat: 'mp4' },
  },
  'reordered and open groups': {
    sources: () =>
      moving(',scale=320:240', [
        ...['-c:v', 'libx264', '-preset', 'fast', '-pix_fmt', 'yuv420p'],
        ...['-x264-params', 'open-gop=1:keyint=20'],
      ]),
    asked: { compressionQuality: 50 },
  },
  'repeated GIF': {
    sources: counted,
    asked: { elements: [{ ...gif, timing: { startTime: 0.3 } }] },
    files: async () => [await threeColorGif()],
  },
  'video element': {
    sources: counted,
    asked: { elements: [{ ...movie, ...own, ...faded }] },
    files: aMovie,
  },
  'repeated video element': {
    sources: counted,
    asked: { elements: [{ ...movie, loop: true }] },
    files: aMovie,
  },
  'transparent video element': {
    sources: () => counted({ fps: '24000/1001' }),
    asked: { elements: [{ ...movie, ...own }] },
    files: async () => [await halfWebm('#ff8800', 4, 'libvpx-vp9')],
  },
  'transparent source': {
    sources: async () => [{ file: await halfWebm('#ff8800', 4, 'libvpx') }],
    asked: { outputFormat: 'mp4', backgroundColor: '#3060a0' },
  },
  interlaced: {
    sources: async () => [
      { file: await fieldsVideo('mp4', 'top', [...codedFields.h264, '-g', '6']) },
    ],
    asked: {},
  },
  'film on television': {
    sources: () =>
      moving(',setpts=N*1001/24000/TB,fps=24000/1001,telecine=pattern=23', [
        ...codedFields.h264,
        '-x264-params',
        'tff=1:keyint=15',
      ]),
    asked: {},
  },
  'high dynamic range': {
    sources: () =>
      moving(',scale=320:240,format=yuv420p10le', [
        ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:keyint=20'],
        ...['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'],
      ]),
    asked: {},
  },
  captions: {
    sources: counted,
    asked: { elements: [{ type: 'text', text: 'Hi' }] },
    captions: true,
  },
  'joined rates': {
    sources: async () => [
      ...(await counted({ seconds: 2, fps: '30000/1001' })),
      ...(await counted({ seconds: 2, fps: 25 })),
      ...(await counted({ seconds: 2, fps: 24, isVariable: true })),
    ],
    asked: { aspectRatio: '1:1', backgroundColor: '#3060a0' },
  },
  'joined and cut': {
    sources: async () => [
      ...(await counted({ seconds: 3 })),
      ...(await counted({ seconds: 3, fps: 30 })),
    ],
    asked: {
      removeSegments: [
        { startTime: 0, endTime: 0.5 },
        { startTime: 2.5, endTime: 4 },
      ],
      outputFormat: 'avi',
    },
  },
}

async function filmOf({ sources, asked, files, captions }: Case): Promise<RenderedVideo> {
  const film = await renderVideo(
    await sources(),
    { compressionQuality: 60, ...asked },
    await files?.(),
  )
  if (!captions) return film
  const tracks = film.plan.tracks.map((track) =>
    track.stream.kind === 'video'
      ? {
          ...track,
          stream: drawAss(track.stream as Stream<'video'>, { path: 'captions.ass', text: ass }),
        }
      : track,
  )
  return { ...film, plan: { ...film.plan, tracks } }
}

/** Windows that begin at the start, next to each other, and anywhere else. */
function startsIn(count: number): fc.Arbitrary<number[]> {
  const anywhere = fc.integer({ min: 1, max: Math.max(1, count - 1) })
  return fc
    .tuple(fc.array(anywhere, { minLength: 2, maxLength: 4 }), anywhere)
    .map(([places, near]) =>
      [...new Set([0, ...places, near, Math.min(count - 1, near + 1)])].sort((a, b) => a - b),
    )
}

async function expectSameWindows(film: RenderedVideo): Promise<void> {
  const whole = await hashWhole(film)
  await fc.assert(
    fc.asyncProperty(startsIn(whole.length), async (starts) => {
      expect(await hashWindows(film, starts), starts.join(' ')).toEqual(whole)
    }),
    { ...seeded(1), endOnFailure: true },
  )
}

describe('windows of every step', () => {
  for (const [i, [name, one]] of Object.entries(cases).entries()) {
    it(`have the pictures of the whole: ${name}`, { tags: campaignAfter(2, i) }, async () => {
      await expectSameWindows(await filmOf(one))
    })
  }

  campaign('have them in any combination of steps', async () => {
    const pick = <Value>(...values: Value[]) => fc.constantFrom(...values)
    const combinations = fc.record({
      source: pick('own times', 'cuts at 29.97', 'joined rates', 'interlaced', 'cover'),
      look: pick({}, { rotate: 90 }, { aspectRatio: '1:1', backgroundColor: '#3060a0' }),
      cuts: pick([], [{ startTime: 0.3, endTime: 0.5 }]),
      element: pick('fade of an image', 'repeated GIF', 'video element', undefined),
      format: pick('mp4', 'avi', 'webm'),
    })
    await fc.assert(
      fc.asyncProperty(combinations, async ({ source, look, cuts, element, format }) => {
        const { files, asked } = cases[element ?? ''] ?? { asked: {} }
        const removeSegments = cuts.length > 0 ? { removeSegments: cuts } : {}
        const all = { ...look, ...removeSegments, outputFormat: format, ...asked }
        const sources = cases[source]?.sources ?? counted
        await expectSameWindows(await filmOf({ sources, asked: all, ...(files && { files }) }))
      }),
      { ...seeded(6), endOnFailure: true },
    )
  })
})
