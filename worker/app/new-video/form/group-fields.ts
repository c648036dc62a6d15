import { fieldOfSource } from '../request/choose-source.ts'
import type { Field } from './control.ts'

/** The headings of the form, and the fields under each, in the order of the page. */
const parts: Readonly<Record<string, readonly string[]>> = {
  Cut: [
    ...['removeSilence', 'removeSegments', 'trim', 'keepSegments', 'removeText', 'keepText'],
    ...['removeSpeakers', 'keepSpeakers'],
    ...['removeFillers', 'speed', 'cutTransition', 'analyzeOnly'],
  ],
  Sound: ['removeNoise', 'normalizeAudio', 'audio', 'bleep', 'bleepWith'],
  Picture: [
    ...['aspectRatio', 'resizeMode', 'reframe', 'backgroundColor', 'rotate', 'flip', 'crop'],
    ...['color', 'stabilize', 'blurFaces', 'fadeIn', 'fadeOut', 'background', 'waveform'],
  ],
  'On top': ['elements'],
  Words: [
    ...['captions', 'enableTranscription', 'speakers', 'vocabulary', 'suggestClips', 'clips'],
    ...['chapters', 'enableAiAnalysis'],
  ],
  Deliver: [
    ...['enableThumbnail', 'outputFormat', 'compressionQuality', 'outputs', 'split'],
    ...['reuse', 'destinations', 'maxSeconds', 'maxPrice', 'webhookUrl', 'metadata'],
  ],
}

/** Fields that the top of the page asks for: the source, the name and the preset. */
const asked = new Set<string>([
  ...Object.values(fieldOfSource),
  ...['combine', 'videoName', 'preset', 'values'],
])

/** The fields of the form under their headings. A field that no heading names is under the last one, "More". */
export function groupFields(fields: readonly Field[]): { title: string; fields: Field[] }[] {
  const named = new Set(Object.values(parts).flat())
  const more = fields.filter(({ name }) => !named.has(name) && !asked.has(name))
  const groups = Object.entries(parts).map(([title, names]) => ({
    title,
    fields: names.flatMap((name) => fields.find((field) => field.name === name) ?? []),
  }))
  return [...groups, { title: 'More', fields: more }].filter((group) => group.fields.length > 0)
}
