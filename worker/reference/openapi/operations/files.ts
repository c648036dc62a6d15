import type { AnswerDescription } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import { failure, fault, sharedFailure } from '../failures.ts'
import type { HeaderName } from '../headers.ts'
import type { Parameter } from '../json-schemas.ts'
import { linkPart, requestHeader } from '../parameters.ts'

const fileParameters: Parameter[] = [
  linkPart(
    'token',
    'The permission in the link; it contains the file, and when the link expires',
    `v_3kTMd92L.final.1795860903.${'5d41402abc4b2a76'.repeat(4)}`,
  ),
  linkPart('name', 'The name a browser shows; any other name works as well', 'Keynote.mp4'),
]

const objectParameter: Parameter = {
  name: 'object',
  in: 'query',
  required: false,
  description:
    'Part of every link that the service makes: it names the stored file, so that serving it is quick. Without it a link works as well',
  schema: { type: 'string' },
  example: `1.mp4.30408704.${'9b74c9897bac770f'.repeat(4)}`,
}

const downloadParameter: Parameter = {
  name: 'download',
  in: 'query',
  required: false,
  description: '1: the browser saves the file under its name instead of showing it',
  schema: { type: 'string', enum: ['1'] },
  example: '1',
}

const fileHeaders: Parameter[] = [
  requestHeader(
    'Range',
    'One range of bytes; a request for several gets the whole file',
    'bytes=0-1023',
  ),
  requestHeader('If-Range', 'ETag or date: ignore Range if the file has changed', '"9f86d081"'),
  requestHeader('If-None-Match', 'ETag of your copy: 304 if it is up to date', '"9f86d081"'),
  requestHeader(
    'If-Modified-Since',
    'Date of your copy: 304 if it is up to date',
    'Sat, 21 Nov 2026 10:15:03 GMT',
  ),
  requestHeader('If-Match', 'ETag that the file must have, otherwise 412', '"9f86d081"'),
  requestHeader(
    'If-Unmodified-Since',
    'Date than which the file must not be newer, otherwise 412',
    'Sat, 21 Nov 2026 10:15:03 GMT',
  ),
]

const factHeaders: HeaderName[] = [
  'ETag',
  'Last-Modified',
  'Cache-Control',
  'Accept-Ranges',
  'Content-Disposition',
  'Access-Control-Allow-Origin',
]

function bytes(description: string, ...more: HeaderName[]): AnswerDescription {
  return {
    description,
    headers: [...factHeaders, 'Content-Length', ...more],
    content: { '*/*': { schema: { description: 'The bytes of the file' } } },
  }
}

function withoutBody(description: string, ...names: HeaderName[]): AnswerDescription {
  return { description, headers: names }
}

export const getFile: Described = {
  summary: 'Download a file',
  description:
    'The links of a record lead here: finished video, thumbnail, and the text and captions of a transcript. A link needs no key, works for 7 days, and stops working at once when its video is deleted. A browser shows the file; with `?download=1` appended to the link, it saves the file under its name. Pages of every origin may show and read the file (CORS), so that captions work beside a video. Errors are JSON, or a page for a browser that asks for HTML.',
  parameters: [...fileParameters, objectParameter, downloadParameter, ...fileHeaders],
  responses: {
    200: bytes('The whole file.'),
    206: bytes('The part that was requested.', 'Content-Range'),
    304: withoutBody('Your copy is up to date.', ...factHeaders),
    403: failure('The link is not valid, or has expired.', {
      expired: fault(
        'Forbidden',
        'This link has expired. The person who sent it to you can get a new one from the record of the video.',
      ),
      forged: fault('Forbidden', 'This link is not valid. Check that it was copied whole.'),
    }),
    404: failure('The file is gone: its video was deleted, or the file has expired.', {
      gone: fault('NotFound', 'This file is no longer available. It was deleted or has expired.'),
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
function headOf(operation: Described): Described {
  const responses = Object.entries(operation.responses)
    .filter(([status]) => status !== '206' && status !== '416')
    .map(([status, response]): [string, AnswerDescription] => [
      status,
      '$ref' in response
        ? withoutBody('A fault of the service.')
        : { description: response.description, headers: response.headers ?? [] },
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

export const preflightFile: Described = {
  summary: 'Ask whether a page may read a file',
  description: 'Browsers send this by themselves (CORS). Pages of every origin may read files.',
  parameters: fileParameters,
  responses: {
    204: withoutBody('The page may read it.', 'Access-Control-Allow-Origin'),
  },
}

export const headFile = headOf(getFile)
