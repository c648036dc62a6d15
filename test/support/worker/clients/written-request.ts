import { sendAdmin } from '../accounts.ts'
import type { Answer, Client } from '../client.ts'
import { aField, aFile, formOf } from '../upload-form.ts'

/** A request as it is written down for people: method and address, headers, and a body, which may stand in the first line. */
type WrittenRequest = { method: string; path: string; headers: Headers; body: string }

/** The placeholder for a value that differs in every run. */
export type Placeholders = Readonly<Record<string, string>>

const files: Readonly<Record<string, string | undefined>> = {
  '@talk.mp4': undefined,
  '@empty.mp4': '',
  '@notes.pdf': '%PDF-1.7 a document',
  '@notes.txt': 'Notes of a talk, in plain text.',
}

export function readRequest(block: string): WrittenRequest {
  const lines = block.split('\n')
  const first = /^(\S+)(?: (\/\S*))?(?: (.*))?$/.exec(lines.shift() ?? '') ?? []
  const [, method = '', path = '', short] = first
  const headers = new Headers()
  while (/^[A-Z][A-Za-z-]+: /.test(lines[0] ?? '')) {
    const [name = '', value = ''] = (lines.shift() ?? '').split(': ')
    headers.set(name, value)
  }
  return { method, path, headers, body: short ?? lines.join('\n') }
}

export async function sendWritten(
  client: Client,
  request: WrittenRequest,
  placeholders: Placeholders,
): Promise<Answer> {
  const put = (text: string) => replaceAll(text, Object.entries(placeholders))
  const { method, headers } = request
  if (method === 'ADMIN') return sendAdmin(JSON.parse(put(request.body)))
  const body = put(request.body)
  if (body !== '' && !headers.has('Content-Type')) headers.set('Content-Type', usualType(body))
  const authorization = headers.get('Authorization')
  headers.set('Authorization', put(authorization ?? `Bearer ${client.apiKey}`))
  if (authorization === 'none') headers.delete('Authorization')
  const isForm = headers.get('Content-Type')?.includes('boundary=') ?? false
  return client.sendAsItIs(put(request.path), {
    method,
    headers,
    ...(body === '' ? {} : { body: isForm ? readForm(body) : body }),
  })
}

function usualType(body: string): string {
  const isForm = /^\w+=/.test(body)
  return isForm ? 'multipart/form-data; boundary=form-of-the-tests' : 'application/json'
}

function readForm(lines: string): Uint8Array<ArrayBuffer> {
  const parts = lines.split('\n').map((line) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (!Object.hasOwn(files, value)) return aField(name, value)
    return { ...aFile(files[value], value.slice(1)), name }
  })
  return formOf(parts)
}

/** The answer in a form for people, with placeholders for values that differ in every run. */
export function writeAnswer({ status, json, text }: Answer, placeholders: Placeholders): string {
  const {
    error,
    message,
    details = [],
  } = json as {
    error?: string
    message?: string
    details?: { field: string; message: string }[]
  }
  const lines = details.map((fault) => `${fault.field}: ${fault.message}`)
  const said = message ?? text
  // The message says the first fault itself.
  const more = lines.slice(said.startsWith(lines[0] ?? '') ? 1 : 0).map((line) => `  ${line}`)
  const answer = [`→ ${status} ${error ?? ''}: ${said}`, ...more].join('\n')
  const values = Object.entries(placeholders).map(([name, value]): [string, string] => [
    value,
    name,
  ])
  return replaceAll(answer, values)
}

function replaceAll(text: string, pairs: readonly [string, string][]): string {
  return pairs.reduce((result, [from, to]) => result.replaceAll(from, to), text)
}
