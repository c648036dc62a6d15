import { presetLimits } from '../../../contract/limits.ts'
import { answer, conflict, invalid } from '../answers.ts'
import { failure, fault, keyFailures, sharedFailure } from '../failures.ts'
import { headerRefs, rateHeaderNames } from '../headers.ts'
import type { DescribedOperation, Response } from '../openapi-types.ts'
import { presetNameParameter } from '../parameters.ts'
import * as examples from '../examples/preset-examples.ts'
import { bodyRef } from '../request-bodies.ts'

const tags: [string] = ['Presets']

function presetNotFound(): Response {
  return failure({
    description: 'Your account has no such preset.',
    headers: [...rateHeaderNames],
    examples: { missing: fault('NotFound', 'Preset not found.') },
  })
}

const builtIn = fault(
  'Conflict',
  'The preset clean-talk is built in; use another name for your own.',
)

export const listPresetsOperation: DescribedOperation = {
  tags,
  summary: 'List presets',
  description: 'Your own presets by name, then those that are built in.',
  parameters: [],
  responses: {
    200: answer({
      description: 'All of them.',
      schema: 'PresetPage',
      examples: { page: ['One of your own', examples.presetPage] },
    }),
    ...keyFailures,
  },
}

export const readPresetOperation: DescribedOperation = {
  tags,
  summary: 'Read one preset',
  description: 'What a request starts from that names this preset.',
  parameters: [presetNameParameter],
  responses: {
    200: answer({
      description: 'The preset.',
      schema: 'Preset',
      examples: { own: ['One of your own', examples.preset] },
    }),
    ...keyFailures,
    404: presetNotFound(),
  },
}

export const putPresetOperation: DescribedOperation = {
  tags,
  summary: 'Create or replace a preset',
  description: `Keeps fields of a request under a name. A request with \`preset\` starts from them: a field that the request has itself takes the place of the same field of the preset, whole; lists and objects are not merged. A preset is judged like a request without a source, and a request that uses it is judged as a whole. Videos that exist do not change. An account has at most ${presetLimits.perAccount} presets.`,
  parameters: [presetNameParameter],
  requestBody: bodyRef('PutPreset'),
  responses: {
    200: answer({
      description: 'The preset is replaced.',
      schema: 'Preset',
      examples: { replaced: ['Replaced', examples.preset] },
    }),
    201: answer({
      description: 'The preset is created.',
      schema: 'Preset',
      examples: { created: ['Created', examples.preset] },
    }),
    400: invalid({
      source: fault(
        'ValidationError',
        'fields.fileUrl: Not part of a preset: each request names its own source',
        {
          details: [
            {
              field: 'fields.fileUrl',
              message: 'Not part of a preset: each request names its own source',
            },
          ],
        },
      ),
    }),
    ...keyFailures,
    409: conflict('The name is that of a built-in preset, or the account has too many presets.', {
      builtIn,
      full: fault(
        'Conflict',
        `The account has ${presetLimits.perAccount} presets already; delete one first.`,
      ),
    }),
    413: sharedFailure('PayloadTooLarge'),
  },
}

export const deletePresetOperation: DescribedOperation = {
  tags,
  summary: 'Delete a preset',
  description: 'Videos that were made with it stay as they are.',
  parameters: [presetNameParameter],
  responses: {
    204: { description: 'It is gone.', headers: headerRefs(...rateHeaderNames) },
    ...keyFailures,
    404: presetNotFound(),
    409: conflict('The preset is built in.', { builtIn }),
  },
}
