import { presetLimits } from '../../../contract/limits.ts'
import * as presets from '../../../contract/options/presets/preset.ts'
import { answer } from '../answers.ts'
import type { Described } from '../describe-operation.ts'
import { takes } from '../request-bodies.ts'
import * as examples from '../examples/preset-examples.ts'
import { conflict, fault, invalid, wrong } from '../failures.ts'

const builtIn = fault(
  'Conflict',
  'The preset clean-talk is built in; use another name for your own.',
)

export const listPresets: Described = {
  summary: 'List presets',
  description: 'Your own presets by name, then those that are built in.',
  responses: {
    200: answer('All of them.', 'PresetPage', { page: ['One of your own', examples.presetPage] }),
  },
}

export const getPreset: Described = {
  summary: 'Read one preset',
  description: 'What a request starts from that names this preset.',
  responses: {
    200: answer('The preset.', 'Preset', { own: ['One of your own', examples.preset] }),
  },
}

export const putPreset: Described = {
  summary: 'Create or replace a preset',
  description: `Keeps fields of a request under a name. A request with \`preset\` starts from them: a field that the request has itself takes the place of the same field of the preset, whole; lists and objects are not merged. A preset is judged like a request without a source, and a request that uses it is judged as a whole. Videos that exist do not change. An account has at most ${presetLimits.perAccount} presets.`,
  body: takes(presets.putPreset, 'The fields that requests with this preset start from.', {
    podcast: ['For the episodes of a podcast', examples.putPresetRequest],
  }),
  responses: {
    200: answer('The preset is replaced.', 'Preset', { replaced: ['Replaced', examples.preset] }),
    201: answer('The preset is created.', 'Preset', { created: ['Created', examples.preset] }),
    400: invalid({
      source: wrong('fields.fileUrl', 'Not part of a preset: each request names its own source'),
    }),
    409: conflict('The name is that of a built-in preset, or the account has too many presets.', {
      builtIn,
      full: fault(
        'Conflict',
        `The account has ${presetLimits.perAccount} presets already; delete one first.`,
      ),
    }),
  },
}

export const deletePreset: Described = {
  summary: 'Delete a preset',
  description: 'Videos that were made with it stay as they are.',
  responses: {
    204: { description: 'It is gone.' },
    409: conflict('The preset is built in.', { builtIn }),
  },
}
