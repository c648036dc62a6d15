import { z } from 'zod'
import { closedObject } from '../input/closed-object.ts'
import { cutFaults, keptSegments, segments } from './cuts.ts'
import { volume } from './sound/film-audio.ts'
import type { FieldFault } from '../answers/errors.ts'
import { fieldsElsewhere } from './words/fields-elsewhere.ts'
import { uploadId, videoId } from '../ids.ts'
import { limits } from '../limits.ts'
import { mediaUrl, webhookAddress } from './media-url.ts'
import { nearestName } from '../input/nearest-name.ts'
import { processingOptions } from './options.ts'
import { fits } from './picture/picture-fields.ts'
import { outputFaults } from './outputs/outputs.ts'
import { parseInput, type Parsed } from '../input/parse-input.ts'
import { pictureClip } from './picture/picture-clip.ts'
import { waveFaults } from './sound/sound-alone.ts'
import { presetName } from './presets/preset-name.ts'
import { speakerName } from './speakers.ts'
import { templateValues } from './presets/templates.ts'
import { destinationFaults, destinations } from '../storages/destination.ts'
import { transition, transitionFaults } from './picture/transition.ts'
import { worded } from '../answers/wording.ts'
import { isRecord } from '../input/is-record.ts'
import { nameText } from '../direct-upload.ts'

const videoName = worded(
  nameText.refine((name) => name.trim() !== '', 'Must not be blank'),
  'text such as "My talk"',
)

const metadata = worded(
  z
    .custom<Record<string, unknown>>(isRecord)
    .refine(
      (value) => new TextEncoder().encode(JSON.stringify(value)).length <= limits.metadataBytes,
      `Must be at most ${limits.metadataBytes} bytes of JSON`,
    )
    .meta({ type: 'object', additionalProperties: true }),
  'an object such as {"order": 8127}',
)

export const fileEntry = worded(
  closedObject({
    url: mediaUrl.describe('Address of the clip'),
    removeSegments: segments.optional().describe('Parts of this clip to leave out'),
    keepSegments: keptSegments.optional().describe('Parts of this clip to keep'),
    disableAudio: z.boolean().optional().describe('Join this clip without its sound'),
    volume: volume
      .optional()
      .describe('How loud this clip is; 1 leaves its sound as it is')
      .meta({ examples: [0.5] }),
    transition: transition.optional().describe('How this clip leads into the next one'),
    ...pictureClip,
    fit: z
      .enum(fits)
      .optional()
      .describe(
        'How this clip fits the shape of the result; resizeMode of the request when absent',
      ),
  }),
  'an object such as {"url": "https://example.com/a.mp4"}',
)

function mostOf(what: string) {
  return z.number(`Must be ${what}`).positive(`Must be ${what}`).optional()
}

/** The fields of a create request except its source and its preset: those that a preset may set. */
export const startFields = {
  videoName: videoName.optional().describe('Name of the video; that of the file when absent'),
  webhookUrl: webhookAddress
    .optional()
    .describe('Receives a signed POST when the video succeeds, fails or is canceled'),
  destinations: destinations
    .optional()
    .describe('Buckets of yours, saved as storages, that the results are delivered to'),
  reuse: z
    .boolean()
    .optional()
    .describe(
      'Whether a result of yours that still stands may be the answer, if the bytes of every file, the options and the version are the same; true when absent',
    ),
  metadata: metadata
    .optional()
    .describe('An object of your own, returned with the video and sent in webhooks'),
  maxSeconds: mostOf('a number of seconds above 0').describe(
    'Fails at its start if the work would take more seconds',
  ),
  maxPrice: mostOf('a price above 0').describe('The same for the price that a plan tells'),
  ...processingOptions,
} as const

/** The same in JSON and in a form. */
const requestFields = {
  ...startFields,
  preset: presetName
    .optional()
    .describe(
      'A preset to start from: each field that the request leaves out is as the preset has it',
    ),
  values: templateValues
    .optional()
    .describe('What stands in place of each `{{name}}` of the preset'),
} as const

/** Each request names exactly one of them. */
export const sourceFields = ['fileUrl', 'files', 'uploadId', 'sourceVideoId'] as const
const sourceNames = 'fileUrl, files, uploadId and sourceVideoId'

/** The rules of `sourceFaults` as JSON Schema. `oneOf` would blur the types of generated clients. */
const sourceRules = {
  not: {
    anyOf: [
      { not: { anyOf: sourceFields.map((field) => ({ required: [field] })) } },
      ...sourceFields.flatMap((one, i) =>
        sourceFields.slice(i + 1).map((other) => ({ required: [one, other] })),
      ),
    ],
  },
  // A preset may set combine.
  if: { required: ['preset'] },
  else: {
    if: { required: ['files'] },
    then: { required: ['combine'], properties: { combine: { const: true } } },
    else: { properties: { combine: { const: false } } },
  },
}

const files = worded(
  z
    .array(fileEntry)
    .min(1, 'Must name at least one file')
    .max(limits.files, `At most ${limits.files} files`),
  'a list such as [{"url": "https://example.com/a.mp4"}, {"url": "https://example.com/b.mp4"}]',
)

export const createVideo = worded(
  closedObject(
    {
      fileUrl: mediaUrl
        .optional()
        .describe('Address of one source video. Give exactly one of ' + sourceNames),
      files: files.optional().describe('Source videos to be combined; needs combine: true'),
      uploadId: uploadId.optional().describe('A finished direct upload'),
      sourceVideoId: videoId
        .optional()
        .describe(
          'An earlier video of yours: the same source once more, without sending it again. An upload is kept until `sourceExpiresAt` of that video; addresses are fetched again',
        ),
      ...requestFields,
    },
    fieldsElsewhere,
  ).meta(sourceRules),
  'an object such as {"fileUrl": "https://example.com/talk.mp4"}',
)

/** The form of an upload. The uploaded file is the source, so the fields that name a source are refused. */
export const uploadVideo = closedObject(
  { ...requestFields, combine: z.literal(false, 'Uploads cannot be combined').default(false) },
  {
    ...fieldsElsewhere,
    fileUrl: 'Not used with an upload: the file is the source. For a URL, use POST /v1/videos',
    files: 'Not supported with an upload. To combine files, use POST /v1/videos',
    uploadId:
      'Not used with an upload: the file is the source. For an uploadId, use POST /v1/videos',
    sourceVideoId:
      'Not used with an upload: the file is the source. For a sourceVideoId, use POST /v1/videos',
  },
)

const fixedFields = Object.keys(createVideo.shape)
  .filter((field) => field !== 'videoName' && field !== 'metadata')
  .map((field) => [field, 'Cannot be changed once the video is created; create another video'])

const newNames = worded(
  z
    .record(z.string().max(limits.speakerNameLength), speakerName.nullable())
    .refine(
      (names) => Object.keys(names).length <= limits.speakers,
      `At most ${limits.speakers} speakers`,
    )
    .nullable(),
  'an object such as {"Speaker 1": "Anna"}',
)

/** The fields that can be changed after a video was created. */
export const changeVideo = worded(
  closedObject(
    {
      videoName: videoName.optional().describe('The new name'),
      metadata: metadata.optional().describe('Replaces all existing metadata'),
      speakerNames: newNames
        .optional()
        .describe(
          "What speakers of the transcript are called from now on, by what the job called them. A speaker who is left out keeps the present name; null as a value gives that speaker's first name back, and null instead of the object gives back all first names. Two with the same name become one",
        ),
    },
    Object.fromEntries(fixedFields) as Record<string, string>,
  )
    .refine((change) => Object.values(change).some((value) => value !== undefined), {
      message: 'Must change something: videoName, metadata or speakerNames',
    })
    .meta({ minProperties: 1 }),
  'an object such as {"videoName": "My talk"}',
)
export type ChangeVideo = z.infer<typeof changeVideo>

export type CreateVideo = z.infer<typeof createVideo>
export type FileEntry = z.infer<typeof fileEntry>

/** Reports all faults of a body at once: faults of single fields, and fields that contradict each other. */
export function parseCreateVideo(input: unknown): Parsed<CreateVideo> {
  const parsed = parseInput(createVideo, input)
  const faults = parsed.ok ? [] : parsed.faults
  const faulty = new Set(faults.map(({ field }) => field))
  const between = [
    ...(isRecord(input) ? sourceFaults(input) : []),
    ...(parsed.ok ? faultsBetween(parsed.value) : []),
  ]
  const all = [...faults, ...between.filter(({ field }) => !faulty.has(field))]
  return parsed.ok && all.length === 0 ? parsed : { ok: false, faults: all }
}

function faultsBetween(request: CreateVideo): FieldFault[] {
  return [
    ...cutFaults(request),
    ...outputFaults(request),
    ...destinationFaults(request),
    ...transitionFaults(request),
    ...clipFaults(request),
    ...waveFaults(request),
  ]
}

/** Elements that are tied to a clip that does not exist. */
function clipFaults({ elements = [], files }: CreateVideo): FieldFault[] {
  const count = files?.length ?? 1
  return elements.flatMap(({ clip = 1 }, i) => {
    const there = count === 1 ? 'there is only one clip' : `there are ${count} clips in files`
    return clip <= count
      ? []
      : [{ field: `elements[${i}].clip`, message: `Must not be above ${count}: ${there}` }]
  })
}

/** A misspelt field counts as given: it is already reported as unknown, so it is not reported as missing too. */
function sourceFaults(body: Record<string, unknown>): FieldFault[] {
  const meant = fieldsMeant(body)
  const given = sourceFields.filter((field) => body[field] !== undefined)
  if (given.length > 1) {
    return given.map((field) => ({
      field,
      message: `Give exactly one of ${sourceNames}, not ${given.join(' and ')}`,
    }))
  }
  const [source = sourceFields.find((field) => meant.has(field))] = given
  if (source === undefined) {
    return [{ field: 'fileUrl', message: `Required: exactly one of ${sourceNames}` }]
  }
  if (meant.has('combine')) return []
  if (source === 'files' && body['combine'] !== true) {
    return [{ field: 'combine', message: 'Must be true when files is used' }]
  }
  if (source !== 'files' && body['combine'] === true) {
    return [{ field: 'combine', message: 'Must not be true without files' }]
  }
  return []
}

/** The known fields that the unknown fields of a body most likely stand for. */
function fieldsMeant(body: Record<string, unknown>): ReadonlySet<string> {
  const known = Object.keys(createVideo.shape)
  const unknown = Object.keys(body).filter((key) => !known.includes(key))
  const looked = unknown.slice(0, limits.reportedFaults)
  return new Set(looked.flatMap((key) => nearestName(key, known) ?? []))
}
