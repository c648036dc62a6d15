import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createVideo,
  fileEntry,
  parseCreateVideo,
} from '../../worker/contract/options/create-video.ts'
import { element } from '../../worker/contract/options/elements/elements.ts'
import { errorTable } from '../../worker/contract/answers/errors.ts'
import { describeApi } from '../../worker/reference/openapi/document.ts'
import {
  schemaRef,
  toJsonSchemas,
  type JsonSchema,
  type Media,
  type Operation,
} from '../../worker/reference/openapi/json-schemas.ts'
import { DocumentSchemas } from '../support/node/document-schema.ts'
import { validBody } from '../support/node/valid-body.ts'
import { seeded } from '../support/node/seeded.ts'

const document = describeApi('1.2.3', 'https://spool.example.com')
const schemas = new DocumentSchemas(document)
const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap(
  (item) => Object.values(item),
)

function bodySchema(name: string): JsonSchema {
  return document.components.requestBodies[name]?.content['application/json']?.schema ?? {}
}

function examplesOf(name: string): [string, unknown][] {
  const media = document.components.requestBodies[name]?.content['application/json']
  return Object.entries(media?.examples ?? {}).map(([key, { value }]) => [key, value])
}

function mediaOf({ requestBody, responses }: Operation): Media[] {
  const bodies = [requestBody, ...Object.values(responses)].map((body) =>
    body && 'content' in body ? body.content : undefined,
  )
  return bodies.flatMap((content) => Object.values(content ?? {}))
}

describe('describeApi', () => {
  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>
    const validator = new Validator()
    expect(await validator.validate(plain)).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('gives every operation a unique name that can be a method name', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([])
  })

  it('gives every operation a tag that it explains', () => {
    const known = document.tags.map(({ name }) => name)
    expect(operations.flatMap(({ tags }) => tags).filter((tag) => !known.includes(tag))).toEqual([])
  })

  it('gives only examples that its own schemas accept', () => {
    const { requestBodies, responses } = document.components
    const media = [
      ...operations.flatMap(mediaOf),
      ...[...Object.values(requestBodies), ...Object.values(responses)].flatMap(({ content }) =>
        Object.values(content ?? {}),
      ),
    ]
    const faults = media.flatMap(({ schema, examples }) =>
      Object.entries(examples ?? {}).flatMap(([name, { value }]) =>
        schemas.faultsOf(schema, value).map((fault) => `${name} ${fault}`),
      ),
    )
    expect(faults).toEqual([])
  })

  it('gives only examples of create requests that the service accepts', () => {
    const examples = document.components.requestBodies['CreateVideo']?.content['application/json']
    const refused = Object.values(examples?.examples ?? {}).filter(
      ({ value }) => !parseCreateVideo(value).ok,
    )
    expect(refused).toEqual([])
  })

  it('shows a create with every option there is', () => {
    const full = examplesOf('CreateVideo').find(([name]) => name === 'everything')?.[1]
    const absent = Object.keys(createVideo.shape).filter((field) => !(field in Object(full)))
    // Other sources, what excludes removeSegments, and values: the example of a batch shows some.
    expect(absent).toEqual(['files', 'uploadId', 'sourceVideoId', 'keepSegments', 'values'])
  })

  it('has an example of every body that is sent', () => {
    const { requestBodies } = document.components
    const without = Object.keys(requestBodies).filter(
      (name) =>
        Object.keys(Object.values(requestBodies[name]?.content ?? {})[0]?.examples ?? {}).length ===
        0,
    )
    expect(without).toEqual([])
  })

  it('has an example for every JSON body', () => {
    const without = operations
      .filter(({ operationId }) => operationId !== 'getOpenapi')
      .filter((operation) =>
        mediaOf(operation).some((media) => '$ref' in media.schema && !media.examples),
      )
    expect(without).toEqual([])
  })

  it('has every error code', () => {
    const { properties } = document.components.schemas['Error'] as {
      properties: { error: { enum: string[] } }
    }
    expect(properties.error.enum).toEqual(Object.keys(errorTable))
  })

  it('describes an element the same whether it is sent or echoed', () => {
    const openness = (key: string, value: unknown) =>
      key === 'additionalProperties' ? undefined : value
    const textOf = (direction: 'input' | 'output') =>
      JSON.stringify(toJsonSchemas({ Element: element, FileEntry: fileEntry }, direction), openness)
    // But for times, which are echoed as seconds.
    const time = /"anyOf":\[\{([^{}]*)\},\{[^{}]*"pattern":"[^"]*\[0-5\][^"]*"\}\]/g
    const sent = textOf('input').replace(time, '$1')
    expect(textOf('output')).toBe(sent)
    expect(sent).not.toBe(textOf('input'))
  })
})

describe('the schema of a create request', () => {
  const schema = bodySchema('CreateVideo')

  it('accepts what the service accepts', () => {
    const sourceUrl = 'https://media.example.com/a.mp4'
    const options = { sourceUrl, mediaUrl: sourceUrl, webhookUrl: sourceUrl, filesToo: true }
    fc.assert(
      fc.property(validBody(options), (body) => {
        expect(createVideo.safeParse(body).success).toBe(true)
        expect(schemas.faultsOf(schema, body)).toEqual([])
      }),
      seeded(25),
    )
  })

  const source = { fileUrl: 'https://media.example.com/a.mp4' }
  const files = [{ url: 'https://media.example.com/a.mp4' }]
  it.each<[string, unknown]>([
    ['no source', {}],
    ['two sources', { ...source, files, combine: true }],
    ['files that are not to be combined', { files }],
    ['one file that is to be combined', { ...source, combine: true }],
    ['an unknown field', { ...source, removeSilense: true }],
    ['a quality of 0', { ...source, compressionQuality: 0 }],
    ['a quality of 101', { ...source, compressionQuality: 101 }],
    ['a colour by name', { ...source, backgroundColor: 'red' }],
    ['an empty name', { ...source, videoName: '' }],
    ['51 files', { combine: true, files: Array.from({ length: 51 }, () => files[0]) }],
    ['metadata that is a list', { ...source, metadata: [] }],
    ['sound with a place', withElement({ type: 'audio', position: { anchor: 'center' } })],
    ['a place twice', withElement({ type: 'image', position: { anchor: 'center', x: '1%' } })],
  ])('refuses %s, as the service does', (_, body) => {
    expect(parseCreateVideo(body).ok).toBe(false)
    expect(schemas.faultsOf(schema, body)).not.toEqual([])
  })

  function withElement(element: object): unknown {
    return { ...source, elements: [{ url: 'https://media.example.com/logo.png', ...element }] }
  }
})

describe('the checker of these tests', () => {
  it('finds fields of an answer that its schema does not have', () => {
    const error = { error: 'NotFound', message: 'Video not found.' }
    expect(schemas.faultsOf(schemaRef('Error'), error)).toEqual([])
    expect(schemas.faultsOf(schemaRef('Error'), { ...error, hint: 'none' })).not.toEqual([])
  })
})
