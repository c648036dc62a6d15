import type { JsonSchema } from '../../worker/reference/openapi/openapi-types.ts'
import { type Base, type Known, membersOf, writeType } from './write-type.ts'

/** Types that have no name in the description and stand in several places, by one of these. A later one may hold an earlier one. */
const named: Record<string, string> = {
  FailureReason: 'Video.reason',
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
  OutputCaptions: 'Output.captions.1',
  Motion: 'VisualEffects.enter',
  ChromaKey: 'VideoElement.chromaKey',
}

/** What several objects have in common, by the name it gets. An earlier one is not part of a later one. */
const common: Record<string, string[]> = {
  VideoOptions: ['CreateVideo', 'PutPreset.fields', 'Video', 'VideoPlan.request'],
  EditOptions: ['CreateVideo', 'PutPreset.fields', 'Video'],
  RequestOptions: ['CreateVideo', 'PutPreset.fields'],
  VideoSources: ['CreateVideo', 'Video', 'VideoPlan.request'],
  VisualElement: ['ImageElement', 'GifElement', 'VideoElement', 'TextElement'],
  PictureElement: ['ImageElement', 'GifElement', 'VideoElement'],
}

/** What the types of these schemas can share, and the declarations of it. */
export function shareTypes(
  schemas: Record<string, JsonSchema>,
  nameOf: Known['nameOf'],
): { known: Known; declared: string[] } {
  const names = new Map<string, string>()
  const bases: Base[] = []
  const known: Known = { nameOf, names, bases }
  const declared: string[] = []
  for (const [name, place] of Object.entries(named)) {
    const text = writeType(schemaAt(schemas, place), known)
    declared.push(`export type ${name} = ${text}\n`)
    names.set(text, name)
  }
  for (const [name, places] of Object.entries(common)) {
    const [first = new Map<string, string>(), ...others] = places.map((place) =>
      membersOf(schemaAt(schemas, place), known),
    )
    const taken = bases.filter(({ members }) => [...members.keys()].every((one) => first.has(one)))
    const members = new Map(
      [...first].filter(
        ([member]) =>
          others.every((one) => one.has(member)) && !taken.some((base) => base.members.has(member)),
      ),
    )
    declared.push(`export type ${name} = {\n${[...members.values()].join('\n')}\n}\n`)
    bases.push({ name, members })
  }
  return { known, declared }
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
