import { presetLimits } from '../../../contract/limits.ts'
import * as presets from '../../../contract/options/presets/preset.ts'
import { answer, takes } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import { conflict, fault, invalid, wrong } from '../failures.ts'
import { builtInPresets } from '../../../contract/options/presets/built-in-presets.ts'
import type {
  PresetPage,
  PresetRecord,
  PutPreset,
} from '../../../contract/options/presets/preset.ts'

const putPresetRequest: PutPreset = {
  description: 'Episodes of the podcast',
  fields: {
    removeSilence: true,
    normalizeAudio: true,
    enableTranscription: true,
    webhookUrl: 'https://example.com/hooks/spool',
  },
}

const preset: PresetRecord = {
  name: 'podcast',
  description: 'Episodes of the podcast',
  builtIn: false,
  fields: putPresetRequest.fields,
  values: [],
  createdAt: '2026-11-21T10:05:30.112Z',
  lastUpdatedAt: '2026-11-21T10:05:30.112Z',
}

const builtIn = [...builtInPresets].map(([name, { description, fields }]) => {
  const times = { values: [], createdAt: null, lastUpdatedAt: null }
  return { name, description, builtIn: true, fields, ...times } satisfies PresetRecord
})

const presetPage: PresetPage = { data: [preset, ...builtIn], nextCursor: null }

const takenName = fault(
  'Conflict',
  'The preset clean-talk is built in; use another name for your own.',
)

export const listPresets: Described = {
  summary: 'List presets',
  description: 'Your own presets by name, then those that are built in.',
  responses: {
    200: answer('All of them.', 'PresetPage', { page: ['One of your own', presetPage] }),
  },
}

export const getPreset: Described = {
  summary: 'Read one preset',
  description: 'What a request starts from that names this preset.',
  responses: {
    200: answer('The preset.', 'Preset', { own: ['One of your own', preset] }),
  },
}

export const putPreset: Described = {
  summary: 'Create or replace a preset',
  description: `Keeps fields of a request under a name. A request with \`preset\` starts from them: a field that the request has itself takes the place of the same field of the preset, whole; lists and objects are not merged. A preset is judged like a request without a source, and a request that uses it is judged as a whole. Videos that exist do not change. An account has at most ${presetLimits.perAccount} presets.`,
  body: takes(presets.putPreset, 'The fields that requests with this preset start from.', {
    podcast: ['For the episodes of a podcast', putPresetRequest],
  }),
  responses: {
    200: answer('The preset is replaced.', 'Preset', { replaced: ['Replaced', preset] }),
    201: answer('The preset is created.', 'Preset', { created: ['Created', preset] }),
    400: invalid({
      source: wrong('fields.fileUrl', 'Not part of a preset: each request names its own source'),
    }),
    409: conflict('The name is that of a built-in preset, or the account has too many presets.', {
      builtIn: takenName,
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
    409: conflict('The preset is built in.', { builtIn: takenName }),
  },
}
