import type { JsonSchema } from '../../worker/reference/openapi/json-schemas.ts'
import { type BaseType, type NamedTypes, membersOf, writeType } from './write-type.ts'

/**
 * Types that several others are made of: by one place, what stands there and in other places; by several, the members that
 * the objects there have in common; those may be a whole object of the description. A later one is made of earlier ones.
 */
const shared: Record<string, string | string[]> = {
  FailureReason: 'Video.reason',
  EventType: 'CreateWebhookEndpoint.eventTypes',
  TransitionType: 'CreateVideo.cutTransition.type',
  Transition: 'CreateVideo.cutTransition',
  AppliedTransition: 'Video.cutTransition',
  FilmFade: 'CreateVideo.fadeIn',
  AppliedFilmFade: 'Video.fadeIn',
  Crop: 'CreateVideo.crop',
  TextRange: 'CreateVideo.removeText.1',
  AudioOptions: 'CreateVideo.audio',
  ColorOptions: 'CreateVideo.color',
  LoudnessTarget: 'CreateVideo.normalizeAudio.1',
  Waveform: 'CreateVideo.waveform.1',
  Destination: 'CreateVideo.destinations',
  AppliedSuggestClips: 'Video.suggestClips',
  AppliedTrim: 'Video.trim',
  AppliedReframe: 'Video.reframe',
  Stretch: 'Video.checks.stretch',
  CheckResult: ['Check', 'Video.checks'],
  ShownCheck: 'Video.checks',
  Speaker: 'Transcript.speakers',
  HeardText: ['Transcript', 'TranscriptState'],
  CaptionPosition: 'Captions.position',
  CaptionLook: ['Captions', 'Output.captions.1'],
  Motion: 'VisualEffects.enter',
  ChromaKey: 'VideoElement.chromaKey',
  VideoOptions: ['CreateVideo', 'PutPreset.fields', 'Video', 'VideoPlan.request'],
  EditOptions: ['CreateVideo', 'PutPreset.fields', 'Video'],
  RequestOptions: ['CreateVideo', 'PutPreset.fields'],
  VideoSources: ['CreateVideo', 'Video', 'VideoPlan.request'],
  OutputOptions: ['Output', 'VideoOutput'],
  VisualElement: ['ImageElement', 'GifElement', 'VideoElement', 'TextElement'],
  PictureElement: ['ImageElement', 'GifElement', 'VideoElement'],
  VisualEffects: ['VisualEffects', 'VideoEffects'],
  Batch: ['Batch', 'BatchWithVideos'],
  Key: ['Key', 'IssuedKey'],
  UsageCounts: ['UsageDay', 'Usage.total'],
}

/** What the types of these schemas can share, and the declarations of it. */
export function shareTypes(
  schemas: Record<string, JsonSchema>,
  nameOf: NamedTypes['nameOf'],
): { known: NamedTypes; declared: string[] } {
  const names = new Map<string, string>()
  const bases: BaseType[] = []
  const known: NamedTypes = { nameOf, names, bases }
  const declared: string[] = []
  for (const [name, place] of Object.entries(shared)) {
    if (typeof place === 'string') {
      const text = writeType(schemaAt(schemas, place), known)
      declared.push(`export type ${name} = ${text}\n`)
      names.set(text, name)
      continue
    }
    const objects = place.map((one) => membersOf(schemaAt(schemas, one), known))
    const members = inCommon(objects, bases)
    if (!schemas[name])
      declared.push(`export type ${name} = {\n${[...members.values()].join('\n')}\n}\n`)
    bases.push({ name, members })
  }
  return { known, declared }
}

/** The members that all of these objects have, without those of a base that they have in common already. */
function inCommon(
  [first = new Map(), ...others]: readonly BaseType['members'][],
  bases: readonly BaseType[],
): BaseType['members'] {
  const taken = bases.filter(({ members }) => [...members.keys()].every((one) => first.has(one)))
  return new Map(
    [...first].filter(
      ([member]) =>
        others.every((one) => one.has(member)) && !taken.some((base) => base.members.has(member)),
    ),
  )
}

/** By the names of properties, and by numbers where a choice is made; items of a list and what may be null are looked into. */
function schemaAt(schemas: Record<string, JsonSchema>, place: string): JsonSchema {
  let at: JsonSchema = { properties: schemas }
  for (const step of place.split('.')) {
    const { properties = {}, anyOf } = at as { properties?: typeof schemas; anyOf?: JsonSchema[] }
    const next = properties[step] ?? anyOf?.[Number(step)]
    if (!next) throw new Error(`The description has no ${place}`)
    at = next['type'] === 'array' ? (next['items'] as JsonSchema) : next
  }
  return at
}
