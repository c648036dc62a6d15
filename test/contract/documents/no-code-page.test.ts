import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseCreateVideo } from '../../../worker/contract/options/create-video.ts'
import { publicRoutes } from '../../../worker/contract/routes.ts'
import { describeApi } from '../../../worker/reference/openapi/document.ts'
import type { JsonSchema } from '../../../worker/reference/openapi/json-schemas.ts'
import { DocumentSchemas } from '../../support/node/document-schema.ts'
import { verifications } from '../../support/node/webhook-vectors.ts'

type Node = { name: string; type: string; parameters: Record<string, unknown> }
type Workflow = {
  nodes: Node[]
  connections: Record<string, { main: { node: string }[][] }>
}

const origin = 'https://spool.example.com'
const document = describeApi('0.1.0', origin)
const docs = new URL('../../../docs/', import.meta.url)
let workflows: Workflow[]
let page: string

beforeAll(async () => {
  page = await readFile(new URL('no-code.md', docs), 'utf8')
  const files = [...page.matchAll(/\((examples\/n8n-[a-z-]+\.json)\)/g)].map(
    ([, file = '']) => file,
  )
  expect(files).toHaveLength(2)
  const texts = files.map(async (file) => readFile(new URL(file, docs), 'utf8'))
  workflows = (await Promise.all(texts)).map((text) => JSON.parse(text) as Workflow)
})

const nodes = () => workflows.flatMap((workflow) => workflow.nodes)
const requests = () => nodes().filter(({ type }) => type === 'n8n-nodes-base.httpRequest')
const text = (value: unknown) => String(value)

/** The operation of the API that a request of the page stands for. */
function operationOf(method: string, address: string) {
  const path = address
    .replace(origin, '')
    .replaceAll(/\{\{[^}]*\}\}|[^/]*the-video-id/g, '{videoId}')
  const operations = document.paths[path] as Record<string, { operationId: string }> | undefined
  return operations?.[method.toLowerCase()]?.operationId
}

describe('the workflows of docs/no-code.md', () => {
  it('call only what the API has, with a key from the credentials', () => {
    const called = requests().map(({ parameters }) => {
      expect(parameters['genericAuthType']).toBe('httpBearerAuth')
      const address = text(parameters['url']).replace(/^=/, '')
      expect(address.startsWith(origin)).toBe(true)
      return operationOf(text(parameters['method'] ?? 'GET'), address)
    })
    expect(called).toEqual(['createVideo', 'getWebhookSecret', 'getVideo'])
  })

  it('send a body that the API accepts', () => {
    const [make] = requests()
    const body: unknown = JSON.parse(text(make?.parameters['jsonBody']))
    expect(parseCreateVideo(body)).toMatchObject({ ok: true })
    const { content } = document.components.requestBodies['CreateVideo'] as {
      content: Record<string, { schema: JsonSchema }>
    }
    const schema = content['application/json']?.schema ?? {}
    expect(new DocumentSchemas(document).faultsOf(schema, body)).toEqual([])
  })

  it('lead from node to node without a gap', () => {
    for (const { nodes, connections } of workflows) {
      const names = nodes.map(({ name }) => name)
      const next = Object.fromEntries(
        Object.entries(connections).map(([from, { main }]) => [from, main[0]?.[0]?.node]),
      )
      const walked = [names[0] ?? '']
      for (let at = next[walked[0] ?? '']; at !== undefined; at = next[at]) walked.push(at)
      expect(walked).toEqual(names)
    }
  })

  it('let only genuine webhooks through', async () => {
    const code = text(
      nodes().find(({ type }) => type === 'n8n-nodes-base.code')?.parameters['jsCode'],
    )
    const cases = verifications.filter(({ body }) => body !== '')
    const accepted = cases.map(async ({ secret, headers, body, now }) => {
      const items: Record<string, object> = {
        'Video has ended': { headers },
        'Body as text': { data: body },
        'Secret of the account': { secret },
      }
      const $ = (name: string) => ({ first: () => ({ json: items[name] }) })
      return runCode(code, $, now * 1000).then(
        () => true,
        () => false,
      )
    })
    expect(await Promise.all(accepted)).toEqual(cases.map(({ good }) => good))
    expect(cases.some(({ good }) => good)).toBe(true)
  })
})

/** Runs the code of a Code node as n8n does: as the body of an async function. */
async function runCode(code: string, $: unknown, now: number): Promise<unknown> {
  const AsyncFunction = (async () => undefined).constructor as new (
    ...texts: string[]
  ) => (...values: unknown[]) => Promise<unknown>
  const run = new AsyncFunction('$', 'require', 'Date', code)
  return run($, createRequire(import.meta.url), { now: () => now })
}

it('the steps of docs/no-code.md name addresses and a body that the API has', () => {
  const [body = ''] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => json)
  expect(parseCreateVideo(JSON.parse(body))).toMatchObject({ ok: true })
  const paths = [...page.matchAll(/spool\.example\.com(\/v1[^\s`]*)`/g)].map(
    ([, path = '']) => path,
  )
  const known = Object.values(publicRoutes).map(({ path }) => path as string)
  expect(paths.length).toBeGreaterThan(3)
  for (const path of paths) {
    const asRoute = path.replace(/\{\{[^}]*\}\}/, '{videoId}').replace(/\/$/, '/{videoId}')
    expect(known).toContain(asRoute)
  }
})
