import { builtInPresets } from '../../../contract/options/presets/built-in-presets.ts'
import type {
  PresetPage,
  PresetRecord,
  PutPreset,
} from '../../../contract/options/presets/preset.ts'

export const putPresetRequest: PutPreset = {
  description: 'Episodes of the podcast',
  fields: {
    removeSilence: true,
    normalizeAudio: true,
    enableTranscription: true,
    webhookUrl: 'https://example.com/hooks/spool',
  },
}

export const preset: PresetRecord = {
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

export const presetPage: PresetPage = { data: [preset, ...builtIn], nextCursor: null }
