import { describe, expect, it } from 'vitest'
import {
  parseCreateVideo,
  type CreateVideo,
} from '../../../worker/contract/options/create-video.ts'
import { type processingOptions } from '../../../worker/contract/options/options.ts'
import { sayPlan } from '../../../worker/contract/options/words/say-plan.ts'

const fileUrl = 'https://cdn.example.com/talks/2026/keynote.mp4'

function planOf(body: object): string[] {
  const parsed = parseCreateVideo({ fileUrl, ...body })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return sayPlan(parsed.value)
}

/** Every option with a value that asks for something, and what it needs beside it. */
const asking: { [Name in keyof typeof processingOptions]: Partial<CreateVideo> } = {
  analyzeOnly: { analyzeOnly: true },
  combine: { fileUrl: undefined, files: [{ url: fileUrl }, { url: fileUrl }], combine: true },
  removeSilence: { removeSilence: true },
  normalizeAudio: { normalizeAudio: { target: -14 } },
  removeNoise: { removeNoise: true },
  enableTranscription: { enableTranscription: true },
  enableAiAnalysis: { enableAiAnalysis: true },
  enableThumbnail: { enableThumbnail: true },
  outputFormat: { outputFormat: 'webm' },
  compressionQuality: { compressionQuality: 60 },
  split: { split: false },
  stabilize: { stabilize: true },
  rotate: { rotate: 90 },
  crop: { crop: { x: '10%', width: 640 } },
  color: { color: { saturation: 0 } },
  flip: { flip: 'horizontal' },
  fadeIn: { fadeIn: { duration: 1 } },
  fadeOut: { fadeOut: { duration: 1, color: '#FFFFFF' } },
  aspectRatio: { aspectRatio: '9:16' },
  resizeMode: { aspectRatio: '1:1', resizeMode: 'stretch' },
  reframe: { reframe: { scenes: [{ startTime: 0, endTime: 4, x: '30%' }] } },
  backgroundColor: { aspectRatio: '1:1', resizeMode: 'contain', backgroundColor: '#FF0000' },
  background: { background: '#101820' },
  waveform: { waveform: true },
  captions: { captions: { style: 'karaoke', embed: true, burn: true } },
  removeSegments: { removeSegments: [{ startTime: 1, endTime: 2 }] },
  keepSegments: { keepSegments: [{ startTime: 1, endTime: 2 }] },
  trim: { trim: { start: 1.5, end: 2 } },
  speed: { speed: 1.5 },
  audio: { audio: { volume: 0.5, fadeIn: { duration: 1 } } },
  removeText: { removeText: ['let me start again'] },
  keepText: { keepText: ['welcome', { text: 'goodbye', occurrence: 2 }] },
  removeFillers: { removeFillers: true },
  speakers: { speakers: { count: 2, names: ['Anna', 'Ben'] } },
  removeSpeakers: { removeSpeakers: ['Ben'] },
  keepSpeakers: { keepSpeakers: ['Anna'] },
  blurFaces: { blurFaces: true },
  bleep: { bleep: ['damn'] },
  bleepWith: { bleep: ['damn'], bleepWith: 'silence' },
  vocabulary: { vocabulary: ['Spool', 'Łódź'] },
  suggestClips: { suggestClips: { count: 3, about: 'prices' } },
  clips: { clips: 'suggested' },
  chapters: { chapters: true },
  cutTransition: { cutTransition: { type: 'crossfade', duration: 0.5 } },
  outputs: { outputs: [{ name: 'web' }, { name: 'podcast', outputFormat: 'mp3' }] },
  elements: {
    elements: [
      { type: 'image', url: 'https://example.com/logo.png' },
      { type: 'text', text: 'Hello' },
      { type: 'text', text: 'again' },
    ],
  },
}

describe('sayPlan', () => {
  it.each(Object.entries(asking))('says what %s adds', (_, body) => {
    expect(planOf(body)).not.toEqual(planOf({}))
  })

  it('says it in the order in which it is done, with addresses as people know them', () => {
    const everything = Object.assign({}, ...Object.values(asking), {
      ...{ analyzeOnly: false, combine: false, files: undefined, fileUrl, keepSegments: undefined },
      webhookUrl: 'https://hooks.example.com/spool',
    }) as object
    expect(planOf(everything)).toEqual([
      'fetch cdn.example.com/…/keynote.mp4',
      'draw the wave of a file that is sound alone',
      'hold the picture still',
      'cover every face with a blur',
      'turn the picture by 90° clockwise',
      'keep 640 px across from 10%, 0 px of the picture',
      'change its colours',
      'mirror it left to right',
      'cut out 1 part that you chose',
      'cut 1.5 s at the start and 2 s at the end',
      'keep only 2 phrases, wherever they are said',
      'cut “let me start again”, wherever it is said',
      'cut what Ben says',
      'keep only what Anna says',
      'cut fillers such as um, and repeated starts',
      'cover “damn” with silence wherever it is said, and mask it in all texts',
      'cut the pauses in which nobody speaks',
      'lead from each cut to what follows with a crossfade of 0.5 s',
      'take out background noise; music stays',
      'bring the loudness to −14 LUFS',
      'play it at 1.5× its speed',
      'play its sound at 0.5× the volume and fade its sound',
      'shape it 1:1, with bars in #FF0000',
      'show what you chose in 1 scene',
      'add 1 image and 2 texts',
      'fade in from black',
      'fade out to #FFFFFF',
      'put captions of what is said on the picture (word by word) and add them as a track',
      'have one media worker render it whole',
      'save it as WebM at quality 60',
      'make 2 results: web and podcast (mp3)',
      'listen for 2 names',
      'make a result of each suggested clip too, at most 3',
      'write down what is said in the finished video, with caption files',
      'tell who says what, of 2 people (Anna and Ben)',
      'suggest parts that are worth a clip about “prices”',
      'list chapters where the subject changes',
      'find tags, a summary and the likely place',
      'make a thumbnail',
      'tell hooks.example.com/spool when it ends',
    ])
  })

  it.each([
    [{}, 'stream (a stream in several sizes)'],
    [{ heights: [1080, 720, 480] }, 'stream (a stream in 1080, 720 and 480)'],
    [{ heights: [360], startTime: 2 }, 'stream (a stream in 360, from second 2)'],
  ])('says which sizes a stream has: %o', (more, said) => {
    const outputs = [{ name: 'stream', outputFormat: 'hls', ...more }]
    expect(planOf({ outputs })).toContain(`make 1 result: ${said}`)
  })

  it('says of an analysis that no video is made, and nothing of what would shape one', () => {
    expect(planOf({ analyzeOnly: true, aspectRatio: '9:16', removeNoise: true })).toEqual([
      'fetch cdn.example.com/…/keynote.mp4',
      'listen, and suggest which silences, fillers and repeated starts to cut; no video is made',
      'write down what is said, with caption files',
    ])
  })

  it.each([
    [{ uploadId: 'u_abc' }, 'take the uploaded file'],
    [{ sourceVideoId: 'v_8fJ2kQpX' }, 'use the file of an earlier video again'],
  ])('names the source of %o', (source, step) => {
    expect(planOf({ fileUrl: undefined, ...source })[0]).toBe(step)
  })
})
