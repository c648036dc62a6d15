import type { R2Bucket, Request as WorkerRequest } from '@cloudflare/workers-types'
import { FormParser } from '../../worker/upload/parse-form.ts'
import { uploadShape } from '../../worker/upload/upload-shape.ts'

type Env = { BUCKET: R2Bucket }

/** Takes the same bytes in the shortest way, or through the service's parser with nothing after it. */
export default {
  async fetch(request: WorkerRequest, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (!request.body) return new Response('here')
    if (pathname === '/raw') {
      await env.BUCKET.put('raw', request.body)
      return new Response(null, { status: 202 })
    }
    const boundary = request.headers.get('X-Boundary') ?? ''
    const source = request.body.getReader({ mode: 'byob' })
    const parser = await FormParser.open(source, { ...uploadShape, boundary })
    for await (const event of parser.events()) {
      if (event.type === 'file-bytes') event.loan.giveBack()
    }
    return new Response(null, { status: 202 })
  },
}
