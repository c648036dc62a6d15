import { builtInPresets } from '../../contract/options/presets/built-in-presets.ts'
import { createVideo } from '../../contract/options/create-video.ts'
import { toToolSchema, type JsonObject } from './json-schema.ts'

type Properties = Record<string, JsonObject>

let written: JsonObject | undefined

/**
 * The arguments of make_video, from the schema that judges them. The kinds of elements are shown as one, because
 * most of their fields are the same; which field belongs to which kind is in the errors of the API.
 */
export function requestSchema(): JsonObject {
  return (written ??= writeSchema())
}

function writeSchema(): JsonObject {
  const properties = toToolSchema(createVideo)['properties'] as Properties
  const { elements, captions, outputs, destinations, metadata, ...rest } = properties
  const { preset, uploadId, files, keepSegments, trim, audio, cutTransition, ...more } = rest
  const { normalizeAudio, maxSeconds, maxPrice, reuse, bleep, removeSpeakers, ...others } = more
  const description = 'From open_upload; its parts must have arrived'
  return {
    type: 'object',
    properties: {
      ...others,
      ...namesOf(others, ['crop', 'color', 'fadeIn', 'fadeOut', 'suggestClips']),
      uploadId: { ...uploadId, description },
      files: { ...files, items: oneFile(files) },
      keepSegments: list(keepSegments?.['description']),
      removeText: list('Cut these words wherever they are said; {text, occurrence} cuts one time'),
      keepText: list('Keep only these words. As in removeText'),
      speakers: either('Who says what: true or {count, names}'),
      keepSpeakers: list('Keep only what they say'),
      removeSpeakers: list(removeSpeakers?.['description']),
      reframe: {
        type: 'object',
        description:
          'What resizeMode follow shows, in place of what it finds: {scenes: [{startTime, endTime, mode: crop, halves or wide, x, y}]}',
      },
      waveform: either('Draw the wave of a sound alone: true or {color, background}'),
      normalizeAudio: {
        ...normalizeAudio,
        anyOf: undefined,
        type: ['boolean', 'object'],
        description: 'To -16 LUFS, or {target, peak}',
      },
      maxSeconds: { type: maxSeconds?.['type'], description: 'Else it fails' },
      maxPrice: { type: maxPrice?.['type'] },
      reuse: { ...reuse, description: 'false: render again' },
      chapters: { type: 'boolean' },
      bleep: list(bleep?.['description']),
      ...untold(others, ['bleepWith', 'blurFaces']),
      vocabulary: list('Names to know'),
      clips: {},
      trim: namesOnly(trim),
      audio: namesOnly(audio),
      cutTransition: bare(cutTransition),
      captions: brief(captions),
      elements: { ...elements, items: anyElement(elements) },
      outputs: { ...outputs, items: anyOutput(outputs) },
      destinations: briefList(destinations),
      preset: { ...preset, description: `${String(preset?.['description'])}. ${listPresets()}` },
      metadata: { type: 'object', description: metadata?.['description'] },
      idempotencyKey: {
        type: 'string',
        description: 'The same text and arguments get the same video',
      },
    },
  }
}

const list = (description: unknown): JsonObject => ({ type: 'array', description })
const either = (description: string): JsonObject => ({ type: ['boolean', 'object'], description })

/** A clip, with its parts and its transition shown by the names of their fields, which are fields of the request too. */
function oneFile(files: JsonObject | undefined): JsonObject {
  const { items } = files as { items: { properties: Properties } }
  const { transition, volume, ...fields } = items.properties
  const segments = { removeSegments: { type: 'array' }, keepSegments: { type: 'array' } }
  return {
    ...items,
    properties: {
      ...fields,
      ...segments,
      volume: { type: volume?.['type'] },
      transition: namesOnly(transition),
    },
  }
}

function listPresets(): string {
  const names = [...builtInPresets].map(
    ([name, { fields }]) => `${name}: ${Object.keys(fields).join(', ')}`,
  )
  return `Built in are ${names.join('; ')}`
}

function anyElement(elements: JsonObject | undefined): JsonObject {
  const { items } = elements as { items: { oneOf: JsonObject[] } }
  const kinds = items.oneOf.map(({ properties }) => properties as Properties)
  const { type, ...fields } = mergeProperties(kinds)
  delete fields['comment']
  const names = kinds.map((kind) => kind['type']?.['const'])
  return {
    type: 'object',
    properties: {
      type: { type: type?.['type'], enum: names },
      ...fields,
      ...namesOf(fields, ['outline', 'shadow', 'crop', 'chromaKey']),
      effects: briefEffects(fields['effects']),
      loop: { type: 'boolean', description: 'Repeat it; when absent, only a gif repeats' },
    },
    required: ['type'],
  }
}

/** An output, shown by its formats and the names of the other fields it may have, which are fields of the request too. */
function anyOutput(outputs: JsonObject | undefined): JsonObject {
  const { items } = outputs as { items: { properties: Properties } }
  const { name, outputFormat, captions, ...others } = items.properties
  const same = Object.keys(others).map((field): [string, JsonObject] => [field, {}])
  return {
    type: 'object',
    properties: {
      name: { type: name?.['type'] },
      outputFormat: { enum: outputFormat?.['enum'] },
      captions: { description: captions?.['description'] },
      ...Object.fromEntries(same),
    },
    required: ['name'],
  }
}

/** The captions of a request, without the ranges and lists that the errors of the API explain. */
function brief(schema: JsonObject | undefined): JsonObject {
  const { source, position, ...fields } = (schema?.['properties'] ?? {}) as Properties
  const place = { description: position?.['description'] }
  const named = untold(fields, [
    ...['translateTo', 'glossary', 'burnLanguage', 'uppercase', 'maxLines'],
    ...['font', 'color', 'highlight', 'background', 'colorBySpeaker'],
  ])
  return {
    ...schema,
    properties: { ...fields, ...named, source: namesOnly(source), position: place },
  }
}

/** An object whose fields are explained by their names. */
function bare(schema: JsonObject | undefined): JsonObject {
  const fields = (schema?.['properties'] ?? {}) as Properties
  return { ...schema, properties: untold(fields, Object.keys(fields)) }
}

/** Fields that are explained by their names. */
function untold(fields: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(
    names.map((name) => {
      const { type, enum: values } = fields[name] ?? {}
      return [name, values === undefined ? { type } : { enum: values }]
    }),
  )
}

/** A list of objects; the description names the fields of each. */
function briefList(list: JsonObject | undefined): JsonObject {
  const names = Object.keys((list?.['items'] as JsonObject)['properties'] ?? {})
  const description = `${String(list?.['description'])}: ${names.join(', ')}`
  return { type: 'array', description, items: { type: 'object', required: ['storage'] } }
}

/** An object shown only by the names of its fields, because few requests need it. */
function namesOnly(schema: JsonObject | undefined): JsonObject {
  const names = Object.keys(schema?.['properties'] ?? {})
  return { type: 'object', description: `${String(schema?.['description'])}: ${names.join(', ')}` }
}

function namesOf(fields: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, namesOnly(fields[name])]))
}

function briefEffects(effects: JsonObject | undefined): JsonObject {
  const properties = (effects?.['properties'] ?? {}) as Properties
  return { ...effects, properties: { ...properties, ...namesOf(properties, ['enter', 'exit']) } }
}

/** The properties of all kinds. If several have one of the same name, the first counts, with the inner properties of the others. */
function mergeProperties(kinds: readonly Properties[]): Properties {
  const merged: Properties = {}
  for (const [name, schema] of kinds.flatMap((kind) => Object.entries(kind))) {
    const first = merged[name]
    const inner = [first?.['properties'], schema['properties']] as (Properties | undefined)[]
    if (!first) merged[name] = schema
    else if (inner[0] && inner[1]) {
      merged[name] = { ...first, properties: mergeProperties([inner[0], inner[1]]) }
    }
  }
  return merged
}
