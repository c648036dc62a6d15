import { describe, expect, it } from 'vitest'
import { parseCreateVideo, createVideo } from '../../../worker/contract/options/create-video.ts'
import {
  faultyFields,
  faultyFieldsWith,
  minimalBody,
  faultsOf,
} from '../../support/node/create-faults.ts'
import fc from 'fast-check'
import { output } from '../../../worker/contract/options/outputs/outputs.ts'
import { optionsSchema } from '../../../worker/contract/options/options.ts'
import { parseJsonBody } from '../../../worker/contract/input/read-json.ts'
import { validBody } from '../../support/node/valid-body.ts'
import { seeded } from '../../support/node/seeded.ts'

const fileUrl = 'https://example.com/talk.mp4'

describe('parseCreateVideo', () => {
  it('fills in the defaults of the specification', () => {
    expect(parseCreateVideo({ fileUrl })).toMatchObject({
      ok: true,
      value: {
        fileUrl,
        combine: false,
        removeSilence: false,
        normalizeAudio: false,
        removeNoise: false,
        enableTranscription: false,
        enableAiAnalysis: false,
        enableThumbnail: false,
        outputFormat: 'mp4',
        compressionQuality: 100,
        rotate: 0,
        aspectRatio: 'original',
        resizeMode: 'cover',
        backgroundColor: '#000000',
      },
    })
  })

  it('refuses a wave that nobody sees on its background', () => {
    const wave = (color: string | undefined, background: string) =>
      faultyFieldsWith({ waveform: { color }, background })
    expect(wave('#101820', '#101820')).toEqual(['waveform.color'])
    expect(wave('#f0f0f0', '#ffffff')).toEqual(['waveform.color'])
    expect([...wave('#00ff88', '#101820'), ...wave(undefined, '#ffffff')]).toEqual([])
  })

  it('says where a field of an output belongs that stands beside the others', () => {
    const known = Object.keys(createVideo.shape)
    const ofOutput = Object.keys(output.shape).filter((field) => !known.includes(field))
    const unexplained = ofOutput.filter((field) =>
      faultsOf({ ...minimalBody, [field]: 1 }).some(({ message }) => message === 'Unknown field'),
    )
    expect(ofOutput).toContain('maxBytes')
    expect(unexplained).toEqual([])
  })

  it.each([
    '映像 🎬',
    'e\u0301',
    '👩‍👩‍👧',
    'عنوان',
    '<b>"&\'',
    '../../etc/passwd',
    'a:b?.webm',
    '%00',
    ' a ',
  ])('leaves the name %j as it is', (videoName) => {
    const parsed = parseCreateVideo({ ...minimalBody, videoName })
    expect(parsed.ok && parsed.value.videoName).toBe(videoName)
  })

  it('keeps __proto__ in metadata as a property of its own, and pollutes nothing', () => {
    const body: unknown = JSON.parse(`{"fileUrl":"${fileUrl}","metadata":{"__proto__":{"x":1}}}`)
    const parsed = parseCreateVideo(body)
    expect(parsed.ok && JSON.stringify(parsed.value.metadata)).toBe('{"__proto__":{"x":1}}')
    expect('x' in {}).toBe(false)
  })
})

const options = {
  ...{ sourceUrl: 'https://example.com/talk.mp4', mediaUrl: 'https://example.com/media' },
  ...{ webhookUrl: 'https://example.com/hook', filesToo: true },
}
/** To make one takes longer than what is tried with it. */
const bodies = fc.sample(validBody(options), seeded(200))
const anyBody = fc.constantFrom(...bodies)

const defaults = optionsSchema.parse({})

type Body = Record<string, unknown>

/** One rule broken, and the field that must be named for it. */
type Mutation = { break: (body: Body) => Body; field: string }

function withField(name: string, value: unknown, field = name): Mutation {
  return { break: (body) => ({ ...body, [name]: value }), field }
}

function withElement(fields: Body, field: string): Mutation {
  return {
    // It comes first, so that its index is known.
    break: (body) => {
      const others = (body['elements'] as unknown[] | undefined) ?? []
      const element = { type: 'image', url: 'https://example.com/a.png', ...fields }
      return { ...body, elements: [element, ...others.slice(0, 49)] }
    },
    field: `elements[0]${field}`,
  }
}

const flags = [
  ...['removeSilence', 'removeNoise'],
  ...['enableTranscription', 'enableAiAnalysis', 'enableThumbnail'],
]

const notUrls = [
  ...['', 'example.com', '//example.com/a', 'ftp://example.com/a', 'file:///etc/passwd', 'data:,x'],
  ...[' https://example.com', 'https://example.com/a b', 'https://example.com/\u0000', 'https://'],
  ...['https://a:b@example.com/', 'https://a@example.com/', 'https:\\\\example.com', 'https:/x y'],
  ...[
    `https://example.com/${'a'.repeat(2029)}`,
    'https://[fe80::1%25eth0]/',
    'https://exa\tmple.com',
  ],
  ...[null, 1, true, [], {}],
]

const mutations: Mutation[] = [
  ...['true', 1, null, '', []].map((value) => withField('normalizeAudio', value)),
  ...flags.flatMap((flag) =>
    ['true', 1, 0, null, '', {}, []].map((value) => withField(flag, value)),
  ),
  ...notUrls.map((url) => withField('webhookUrl', url)),
  ...notUrls.map((url) => withElement({ url }, '.url')),
  ...['mkv', 'gif', 'MP4', '.mp4', '', null, 1, ['mp4']].map((value) =>
    withField('outputFormat', value),
  ),
  ...['16x9', '16/9', '3:2', 'Original', '', null, 1.78].map((value) =>
    withField('aspectRatio', value),
  ),
  ...['fill', 'Cover', '', null].map((value) => withField('resizeMode', value)),
  ...[-90, 45, 90.5, 360, '90', true, null].map((value) => withField('rotate', value)),
  ...[
    '#fff',
    '000000',
    '#00000g',
    '#0000000',
    '0x000000',
    '#０00000',
    'red',
    '#000000\n',
    'black[a];movie=/a[b]',
    null,
    0,
  ].map((value) => withField('backgroundColor', value)),
  ...[0, 0.999, 100.001, 101, -1, '50', true, null, Number.NaN, Infinity].map((value) =>
    withField('compressionQuality', value),
  ),
  ...[
    '',
    ' ',
    '\u00a0\u3000',
    'a\u0000',
    'a\nb',
    '\ta',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\ud800',
    '\udfac\ud83c',
    'n'.repeat(256),
    null,
    1,
  ].map((value) => withField('videoName', value)),
  ...[null, [], 'text', 1, { a: 'x'.repeat(2041) }, { a: 'é'.repeat(1021) }].map((value) =>
    withField('metadata', value),
  ),
  ...[0, -1, '5', null].map((value) => withField('maxPrice', value)),
  ...[{}, 'text', null, 5].map((value) => withField('removeSegments', value)),
  ...[[0, 1], null].map((one) => withField('removeSegments', [one], 'removeSegments[0]')),
  ...[-1, -0.001, Number.NaN, null, '0 s'].map((startTime) =>
    withField('removeSegments', [{ startTime, endTime: 1 }], 'removeSegments[0].startTime'),
  ),
  withField('removeSegments', [{ startTime: 2, endTime: 2 }], 'removeSegments[0].endTime'),
  withField('removeSegments', [{ startTime: 2, endTime: 1 }], 'removeSegments[0].endTime'),
  withField('removeSegments', [{ startTime: 0 }], 'removeSegments[0].endTime'),
  withField('removeSegments', [{ endTime: 1 }], 'removeSegments[0].startTime'),
  withField('removeSegments', [{ startTime: 0, endTime: Infinity }], 'removeSegments[0].endTime'),
  withField('removeSegments', [{ startTime: 0, endTime: '1 s' }], 'removeSegments[0].endTime'),
  withField('removeSegments', [{ startTime: 0, endTime: 1, end: 1 }], 'removeSegments[0].end'),
  ...[{}, 'text', null].map((value) => withField('elements', value)),
  withField('removeSilnce', true),
  withField('__proto_', 1),
  withField('constructor', 1),
  ...['words', 'Image', '', undefined, null, 1, ['image']].map((type) =>
    withElement({ type }, '.type'),
  ),
  withElement({ type: 'audio', zIndex: 1 }, '.zIndex'),
  withElement({ type: 'audio', position: { anchor: 'center' } }, '.position'),
  withElement({ type: 'audio', size: {} }, '.size'),
  withElement({ type: 'audio', effects: { opacity: 1 } }, '.effects.opacity'),
  withElement({ type: 'audio', effects: { volume: 10.1 } }, '.effects.volume'),
  withElement({ type: 'audio', effects: { volume: -0.1 } }, '.effects.volume'),
  withElement({ effects: { volume: 1 } }, '.effects.volume'),
  withElement({ loop: true }, '.loop'),
  withElement({ zIndex: '1' }, '.zIndex'),
  withElement({ zIndex: Infinity }, '.zIndex'),
  withElement({ comment: 'x'.repeat(1001) }, '.comment'),
  ...[-0.01, 1.01].map((opacity) => withElement({ effects: { opacity } }, '.effects.opacity')),
  withElement({ effects: { fadeIn: {} } }, '.effects.fadeIn.duration'),
  withElement({ effects: { fadeOut: { duration: -1 } } }, '.effects.fadeOut.duration'),
  withElement({ effects: { fadeIn: { duration: 1, easing: 'bounce' } } }, '.effects.fadeIn.easing'),
  ...[-1, '1s'].map((startTime) => withElement({ timing: { startTime } }, '.timing.startTime')),
  withElement({ timing: { startTime: 2, endTime: 2 } }, '.timing.endTime'),
  ...[0, -1].map((endTime) => withElement({ timing: { endTime } }, '.timing.endTime')),
  ...[[], null].map((timing) => withElement({ timing }, '.timing')),
  withElement({ timing: { entireVideo: 'true' } }, '.timing.entireVideo'),
  ...['middle', 'Center', ''].map((anchor) =>
    withElement({ position: { anchor } }, '.position.anchor'),
  ),
  withElement({ position: { anchor: 'center', x: '1%' } }, '.position.anchor'),
  ...[
    ...['150%', '100.1%', '-1%', '50', '50px', '50 %', ' 5%', '%', '.5%', '5.%', '1e1%', ''],
    ...[50, null, '٥%', '50%\n'],
  ].flatMap((at) => [
    withElement({ position: { x: at } }, '.position.x'),
    withElement({ position: { y: at } }, '.position.y'),
  ]),
  ...[
    0,
    0.99,
    8192.01,
    -5,
    '0%',
    '0.0%',
    '1000.1%',
    '10',
    '50px',
    '',
    null,
    [],
    '-5%',
    Infinity,
  ].flatMap((side) => [
    withElement({ size: { width: side } }, '.size.width'),
    withElement({ size: { height: side } }, '.size.height'),
  ]),
  withElement({ size: { fit: 'stretch' } }, '.size.fit'),
]

describe('parseCreateVideo, for any valid body', () => {
  it('answers the body with the defaults filled in, and nothing else changed', () => {
    for (const body of bodies) {
      expect(parseCreateVideo(body)).toEqual({ ok: true, value: { ...defaults, ...body } })
    }
  })

  it('reads back as JSON', () => {
    for (const body of bodies) {
      const read = parseJsonBody(JSON.stringify(body))
      expect(read).toEqual({ ok: true, value: body })
    }
  })

  it('does not change its input', () => {
    for (const body of bodies) {
      const before = JSON.stringify(body)
      parseCreateVideo(body)
      expect(JSON.stringify(body)).toBe(before)
    }
  })

  it('has covered every field of the schema but those that name what an account has', () => {
    const met = new Set(bodies.flatMap((body) => Object.keys(body)))
    const fields = Object.keys(createVideo.shape).filter(
      (name) => !['uploadId', 'sourceVideoId', 'destinations', 'values'].includes(name),
    )
    expect([...met].sort()).toEqual(fields.sort())
  })

  it.each(mutations.map((mutation) => [mutation.field, mutation] as const))(
    'names exactly %s when that alone is wrong (%#)',
    (field, mutation) => {
      fc.assert(
        fc.property(anyBody, (body) => {
          expect(faultyFields(mutation.break(body))).toEqual([field])
        }),
        seeded(8),
      )
    },
  )

  it('names every fault of several at once', () => {
    const independent = fc.uniqueArray(fc.constantFrom(...mutations), {
      minLength: 2,
      maxLength: 6,
      selector: (mutation) => mutation.field.replace(/[.[].*/, ''),
    })
    fc.assert(
      fc.property(anyBody, independent, (body, chosen) => {
        const broken = chosen.reduce((mutant, mutation) => mutation.break(mutant), body)
        const expected = chosen.map((mutation) => mutation.field)
        expect(faultyFields(broken).sort()).toEqual(expected.sort())
      }),
      seeded(300),
    )
  })
})

it('parseCreateVideo, for anything at all never throws, and explains everything it refuses', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), (body) => {
      expect(faultsOf(body).length).toBeGreaterThan(0)
    }),
    seeded(1000),
  )
})

const segments = [{ startTime: 1, endTime: '0:02' }]

describe('cuts', () => {
  it('may be what is kept, with the ends taken off', () => {
    expect(faultsOf({ ...minimalBody, keepSegments: segments, trim: { start: '0:01' } })).toEqual(
      [],
    )
  })

  it('are refused if they name both what is kept and what is removed, also of a file', () => {
    const message = 'Give either keepSegments or removeSegments, not both'
    const both = { keepSegments: segments, removeSegments: segments }
    expect(faultsOf({ ...minimalBody, ...both })).toEqual([{ field: 'keepSegments', message }])
    const files = [
      { url: 'https://example.com/a.mp4' },
      { url: 'https://example.com/b.mp4', ...both },
    ]
    expect(faultsOf({ files, combine: true })).toEqual([
      { field: 'files[1].keepSegments', message },
    ])
  })

  it('keep at least one part', () => {
    expect(faultsOf({ ...minimalBody, keepSegments: [], trim: { start: -1 } })).toEqual([
      { field: 'keepSegments', message: 'Must name at least one segment' },
      { field: 'trim.start', message: 'Must be 0 or more seconds' },
    ])
  })
})

it('outputs take what differs from the request', () => {
  const outputs = [
    { name: 'web' },
    { name: 'phone', aspectRatio: '9:16', captions: { style: 'box' } },
    { name: 'plain', captions: false, outputFormat: 'webm', compressionQuality: 40 },
    { name: 'podcast', outputFormat: 'mp3' },
    { name: 'new', videoCodec: 'av1', maxBytes: 1_000_000, maxBitrate: 500_000 },
    { name: 'exact', width: 1280, height: 720 },
    ...[29.97, '24000/1001'].map((fps, i) => ({ name: `rate${i}`, fps })),
    { name: 'tv', outputFormat: 'hls', heights: [720, 360], fps: 60, aspectRatio: '9:16' },
    { name: 'sizes', outputFormat: 'hls', heights: [480, 1080, 432] },
  ]
  expect(faultsOf({ fileUrl: 'https://example.com/talk.mp4', captions: {}, outputs })).toEqual([])
})
