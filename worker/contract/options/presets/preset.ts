import { z } from 'zod'
import { isUploadAddress } from '../../addresses/upload-address.ts'
import { closedObject } from '../../input/closed-object.ts'
import { startFields } from '../create-video.ts'
import { fieldsElsewhere } from '../words/fields-elsewhere.ts'
import { displayName } from '../../people/key-record.ts'
import { presetLimits } from '../../limits.ts'
import { presetName } from './preset-name.ts'
import { worded } from '../../answers/wording.ts'
import { timestamp } from '../../timestamp.ts'

type StartFields = typeof startFields

/** The fields of a request that a preset sets; a field that it leaves out stays open. */
export type PresetFields = { [Name in keyof StartFields]?: z.infer<StartFields[Name]> }

/** For finding the schema of a path in a preset. */
export const startSchema = z.object(startFields)

/** Without its default, which would fill in what the preset leaves open. */
function withoutDefault(field: z.ZodType): z.ZodType {
  if (!(field instanceof z.ZodDefault)) return field
  return (field.unwrap() as z.ZodType).optional().meta(field.meta() ?? {})
}

const openFields = Object.fromEntries(
  Object.entries(startFields).map(([name, field]) => [name, withoutDefault(field)]),
)

const notItsSource = 'Not part of a preset: each request names its own source'

/** A request without its source: its fields are judged as those of a request are. */
const shownFields = closedObject(openFields, {
  ...fieldsElsewhere,
  fileUrl: notItsSource,
  files: notItsSource,
  uploadId: notItsSource,
  sourceVideoId: notItsSource,
  preset: 'A preset cannot start from another preset',
})

const presetFields = worded(
  shownFields
    .refine((fields) => Object.keys(fields).length > 0, {
      message: 'Must set at least one field',
      // Not if a field was refused, which may have been meant as one.
      when: ({ issues }) => issues.length === 0,
    })
    .refine(
      (fields) => new TextEncoder().encode(JSON.stringify(fields)).length <= presetLimits.bytes,
      `Must be at most ${presetLimits.bytes} bytes of JSON`,
    )
    .superRefine(({ elements = [] }, context) => {
      for (const [i, element] of (elements as readonly { url?: string }[]).entries()) {
        if (element.url === undefined || !isUploadAddress(element.url)) continue
        const message = 'An upload is kept for a day only; give an address that lasts'
        context.addIssue({ code: 'custom', path: ['elements', i, 'url'], message })
      }
    })
    .meta({ minProperties: 1 })
    // The shape was made from a list of fields, which loses their types.
    .transform((fields) => fields as PresetFields),
  'an object such as {"removeSilence": true}',
)

/** The body of PUT /v1/presets/{presetName}. */
export const putPreset = worded(
  closedObject({
    description: displayName.optional().describe('For people: what the preset is for'),
    fields: presetFields.describe(
      'Fields of POST /v1/videos, without a source. Texts may have `{{name}}` in them, and any value but a list or an object may be one such text, which `values` of a request fill',
    ),
  }),
  'an object such as {"fields": {"removeSilence": true}}',
)
export type PutPreset = z.infer<typeof putPreset>

export const presetRecord = z.object({
  name: presetName.describe('What a request gives as `preset`'),
  description: z.string().nullable(),
  builtIn: z.boolean().describe('True for presets that every account has and nobody can change'),
  fields: z
    .record(z.string(), z.unknown())
    .describe(
      'What the preset sets: fields of POST /v1/videos, with `{{name}}` where a request gives values',
    ),
  values: z
    .array(
      z.object({
        name: z.string(),
        fields: z.array(z.string()).describe('The fields that it fills'),
      }),
    )
    .describe('Every `{{name}}` in the fields; a request gives them as `values`'),
  createdAt: timestamp.nullable().describe('Null for a built-in preset'),
  lastUpdatedAt: timestamp.nullable().describe('Null for a built-in preset'),
})
export type PresetRecord = z.infer<typeof presetRecord>

export const presetPage = z.object({
  data: z.array(presetRecord).describe('Your own by name, then the built-in ones'),
  nextCursor: z.null().describe('Always null: all presets fit on one page'),
})
export type PresetPage = z.infer<typeof presetPage>
