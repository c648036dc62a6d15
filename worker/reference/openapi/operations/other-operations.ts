import { answer, invalid, openAnswer } from '../answers.ts'
import * as examples from '../examples/examples.ts'
import { failure, fault, keyFailures, sharedFailure } from '../failures.ts'
import { headerRefs, rateHeaderNames, type HeaderName } from '../headers.ts'
import type { DescribedOperation, Response } from '../openapi-types.ts'
import {
  downloadParameter,
  objectParameter,
  fileHeaders,
  fileParameters,
  jobIdParameter,
  listJobsParameters,
} from '../parameters.ts'

export const readJobOperation: DescribedOperation = {
  tags: ['Jobs'],
  summary: 'Read a job',
  description:
    'The work on a video: every attempt with its phases and the programs it ran, and, if the job failed, a `reason` that programs can act on.',
  parameters: [jobIdParameter],
  responses: {
    200: answer({
      description: 'The job.',
      schema: 'Job',
      examples: {
        succeeded: ['Succeeded at the first attempt', examples.succeededJob],
        failed: ['Failed', examples.failedJob],
      },
    }),
    ...keyFailures,
    404: failure({
      description: 'There is no such job, or it is not yours.',
      headers: [...rateHeaderNames],
      examples: { missing: fault('NotFound', 'Job not found.') },
    }),
  },
}

export const listJobsOperation: DescribedOperation = {
  tags: ['Jobs'],
  summary: 'Find the job of a video',
  description:
    'Finds the job of a video if its `videoId` is all you have. The record of the video has the `jobId` too.',
  parameters: listJobsParameters(),
  responses: {
    200: answer({
      description: 'One job, or none.',
      schema: 'JobPage',
      examples: {
        found: ['The job of a video that failed', examples.jobPage],
        none: ['No such video', { data: [], nextCursor: null }],
      },
    }),
    400: invalid({
      videoId: fault('ValidationError', 'videoId: Must be v_ and 8 letters or digits', {
        details: [{ field: 'videoId', message: 'Must be v_ and 8 letters or digits' }],
      }),
    }),
    ...keyFailures,
  },
}

const factHeaders: HeaderName[] = [
  'ETag',
  'Last-Modified',
  'Cache-Control',
  'Accept-Ranges',
  'Content-Disposition',
  'Access-Control-Allow-Origin',
]

function bytes(description: string, ...more: HeaderName[]): Response {
  return {
    description,
    headers: headerRefs(...factHeaders, 'Content-Length', ...more),
    content: { '*/*': { schema: { description: 'The bytes of the file' } } },
  }
}

function withoutBody(description: string, ...names: HeaderName[]): Response {
  return { description, headers: headerRefs(...names) }
}

export const readFileOperation: DescribedOperation = {
  tags: ['Files'],
  summary: 'Download a file',
  description:
    'The links of a record lead here: finished video, thumbnail, and the text and captions of a transcript. A link needs no key, works for 7 days, and stops working at once when its video is deleted. A browser shows the file; with `?download=1` appended to the link, it saves the file under its name. Pages of every origin may show and read the file (CORS), so that captions work beside a video. Errors are JSON, or a page for a browser that asks for HTML.',
  parameters: [...fileParameters, objectParameter, downloadParameter, ...fileHeaders],
  responses: {
    200: bytes('The whole file.'),
    206: bytes('The part that was requested.', 'Content-Range'),
    304: withoutBody('Your copy is up to date.', ...factHeaders),
    403: failure({
      description: 'The link is not valid, or has expired.',
      examples: {
        expired: fault(
          'Forbidden',
          'This link has expired. The person who gave it to you can find a fresh one in the record of the video.',
        ),
        forged: fault('Forbidden', 'This link is not valid. Check that it was copied whole.'),
      },
    }),
    404: failure({
      description: 'The file is gone: its video was deleted, or the file has expired.',
      examples: {
        gone: fault('NotFound', 'This file is no longer available. It was deleted or has expired.'),
      },
    }),
    412: withoutBody(
      'The file is not the version that If-Match or If-Unmodified-Since asks for.',
      ...factHeaders,
    ),
    416: withoutBody(
      'The range begins after the end of the file.',
      ...factHeaders,
      'Content-Range',
    ),
    500: sharedFailure('ServerError'),
  },
}

/** HEAD answers like GET but without the bytes, its errors have no body, and it ignores ranges. */
function headOf(operation: DescribedOperation): DescribedOperation {
  const responses = Object.entries(operation.responses)
    .filter(([status]) => status !== '206' && status !== '416')
    .map(([status, response]): [string, Response] => [
      status,
      '$ref' in response
        ? withoutBody('A fault of the service.')
        : { description: response.description, headers: response.headers ?? {} },
    ])
  return {
    ...operation,
    summary: 'Ask about a file',
    description: 'Size, type and version of a file, without its bytes.',
    parameters: [
      ...fileParameters,
      objectParameter,
      downloadParameter,
      ...fileHeaders.filter(({ name }) => name !== 'Range' && name !== 'If-Range'),
    ],
    responses: Object.fromEntries(responses),
  }
}

export const preflightFileOperation: DescribedOperation = {
  tags: ['Files'],
  summary: 'Ask whether a page may read a file',
  description: 'Browsers send this by themselves (CORS). Pages of every origin may read files.',
  parameters: fileParameters,
  responses: { 204: withoutBody('The page may read it.', 'Access-Control-Allow-Origin') },
}

export const headFileOperation = headOf(readFileOperation)

export const healthOperation: DescribedOperation = {
  tags: ['Service'],
  summary: 'Health',
  description:
    'Whether the service and its parts answer. Needs no key. The parts are really asked, at most every 10 seconds.',
  responses: {
    200: openAnswer({
      description: 'All parts answer.',
      schema: 'Health',
      examples: { healthy: ['Healthy', examples.healthy] },
    }),
    500: sharedFailure('ServerError'),
    503: openAnswer({
      description: 'A part does not answer.',
      schema: 'Health',
      examples: { unhealthy: ['No media worker', examples.unhealthy] },
      headers: ['Retry-After'],
    }),
  },
}

export const documentOperation: DescribedOperation = {
  tags: ['Service'],
  summary: 'This description',
  description:
    'The OpenAPI 3.1 description of this service, made from the schemas that check its requests.',
  responses: {
    200: {
      description: 'An OpenAPI document.',
      headers: headerRefs('ETag', 'Cache-Control', 'Access-Control-Allow-Origin'),
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    304: withoutBody(
      'Your copy is up to date.',
      'ETag',
      'Cache-Control',
      'Access-Control-Allow-Origin',
    ),
  },
}

export const docsOperation: DescribedOperation = {
  tags: ['Service'],
  summary: 'The documentation for people',
  description:
    'The first page of the guides. They lead to each other, and this description is one of their pages: `/docs/reference`. Each guide is also Markdown (`/docs/webhooks.md`), and `/llms.txt` lists them for language models.',
  responses: {
    200: {
      description: 'A page.',
      headers: headerRefs('ETag', 'Cache-Control'),
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    304: withoutBody('Your copy is up to date.', 'ETag', 'Cache-Control'),
  },
}
