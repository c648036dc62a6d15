import type { PresetFields } from './preset.ts'

type BuiltIn = { description: string; fields: PresetFields }

/** The most common requests, under names that accounts cannot use. */
const builtIn = {
  'clean-talk': {
    description: 'A talk without pauses and noise, at one loudness',
    fields: { removeSilence: true, removeNoise: true, normalizeAudio: true },
  },
  'vertical-clip': {
    description:
      'A clip for phones: upright around who speaks, at one loudness, with captions and a still',
    fields: {
      aspectRatio: '9:16',
      resizeMode: 'follow',
      normalizeAudio: true,
      captions: { style: 'karaoke' },
      enableThumbnail: true,
    },
  },
  'join-clips': {
    description: 'Several files as one video, at one loudness',
    fields: { combine: true, normalizeAudio: true },
  },
  captions: {
    description: 'The video with captions on the picture, and its transcript',
    fields: { captions: {}, enableTranscription: true },
  },
} as const satisfies Record<string, BuiltIn>

export const builtInPresets: ReadonlyMap<string, BuiltIn> = new Map(Object.entries(builtIn))
