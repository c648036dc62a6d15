import { createHash } from 'node:crypto'
import { listenDuringTest } from '../node/listen-during-test.ts'

type Asked = {
  readonly path: string
  readonly range: string | undefined
  readonly ifRange: string | undefined
}

export type ModelHub = {
  readonly origin: string
  readonly asked: Asked[]
  readonly files: Map<string, Buffer>
  /** Sizes that the hub lists instead of the right ones. */
  readonly claimed: Map<string, number>
  /** The hub cuts off the next answer that is longer than this number of bytes. */
  cutAfter: number | undefined
  etag: string
}

export const commit = 'ab'.repeat(20)

/** What a hub has of a small model, with graphs in two variants. */
export function modelFiles(): Map<string, Buffer> {
  const graph = (seed: number): Buffer =>
    Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * seed) % 251))
  return new Map([
    ['config.json', Buffer.from('{"model_type":"whisper"}')],
    ['generation_config.json', Buffer.from('{}')],
    ['preprocessor_config.json', Buffer.from('{}')],
    ['tokenizer.json', Buffer.from('{"model":{"vocab":{}}}')],
    ['README.md', Buffer.from('# About')],
    ['onnx/encoder_model.onnx', graph(3)],
    ['onnx/encoder_model_quantized.onnx', graph(5)],
    ['onnx/decoder_model_merged_quantized.onnx', graph(7)],
    ['onnx/decoder_model_merged_quantized.onnx_data', graph(11)],
  ])
}

/** A hub of models on the loopback, with ranges and checksums as the public one has them. */
export async function startHub(files = modelFiles()): Promise<ModelHub> {
  const hub: ModelHub = {
    origin: '',
    asked: [],
    files,
    claimed: new Map(),
    cutAfter: undefined,
    etag: '"one"',
  }
  const { origin } = await listenDuringTest((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://hub').pathname)
    const { range } = request.headers
    const ifRange = request.headers['if-range'] as string | undefined
    hub.asked.push({ path, range, ifRange })
    const json = (value: unknown) => response.end(JSON.stringify(value))
    if (path.endsWith('/revision/main')) return json({ sha: commit, cardData: { license: 'mit' } })
    if (path.endsWith(`/tree/${commit}`))
      return json([{ type: 'directory', path: 'onnx' }, ...listed(hub)])
    const name = path.split(`/resolve/${commit}/`)[1] ?? ''
    const content = hub.files.get(name)
    if (!content) return response.writeHead(404).end()
    const start = range !== undefined && ifRange === hub.etag ? Number(/\d+/.exec(range)?.[0]) : 0
    const rest = content.subarray(start)
    const { cutAfter = Infinity } = hub
    const isCut = rest.length > cutAfter
    response.writeHead(start > 0 ? 206 : 200, {
      ETag: hub.etag,
      // Without a length, an answer that ends early looks like a whole one.
      ...(!isCut && { 'Content-Length': rest.length }),
      ...(start > 0 && {
        'Content-Range': `bytes ${start}-${content.length - 1}/${content.length}`,
      }),
    })
    if (isCut) hub.cutAfter = undefined
    response.end(rest.subarray(0, cutAfter))
  })
  return Object.assign(hub, { origin })
}

function listed({ files, claimed }: ModelHub) {
  return [...files].map(([path, content]) => {
    const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
    const size = claimed.get(path) ?? content.length
    const file = { type: 'file', path, size, oid }
    if (!path.startsWith('onnx/')) return file
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { ...file, lfs: { oid: sha256, size, pointerSize: 130 } }
  })
}
