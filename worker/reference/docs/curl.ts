import type { Document, OperationMethod, Operation, RequestBody } from '../openapi/json-schemas.ts'

/** The shell variables that the commands use, and what to put into them. */
export const shellVariables = {
  SPOOL_API_KEY: 'your key',
  VIDEO_ID: 'videoId of an answer',
  JOB_ID: 'jobId of an answer',
  PRESET_NAME: 'name of a preset',
  STORAGE_NAME: 'name of a storage',
  ENDPOINT_ID: 'endpointId of an answer',
  DELIVERY_ID: 'deliveryId of an answer',
  FILE_URL: 'finalVideoUrl of a record',
  UPLOAD_ID: 'uploadId of an answer',
  PART_URL: 'url of a part',
} as const

type CallShown = { document: Document; method: OperationMethod; path: string; operation: Operation }

/** A command that works as it stands once the variables are set. */
export function curlFor({ document, method, path, operation }: CallShown): string {
  const [server] = document.servers
  const lines = [`curl ${methodOption(method, operation)}"${addressOf(server?.url ?? '', path)}"`]
  if (operation.security === undefined) lines.push('-H "Authorization: Bearer $SPOOL_API_KEY"')
  lines.push(...bodyOptions(document, operation))
  if (operation.operationId === 'getFile') lines.push('-o video.mp4')
  return lines.join(' \\\n  ')
}

function methodOption(method: OperationMethod, { operationId }: Operation): string {
  switch (method) {
    case 'get':
      return ''
    case 'head':
      return '--head '
    case 'put':
      return operationId === 'putPart' ? '-T part-1 ' : '-X PUT '
    case 'post':
    case 'options':
    case 'patch':
    case 'delete':
      return `-X ${method.toUpperCase()} `
  }
}

function addressOf(baseUrl: string, path: string): string {
  if (path.startsWith('/files/')) return '$FILE_URL'
  if (path.startsWith('/parts/')) return '$PART_URL'
  const variables = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    return `$${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
  })
  return baseUrl + variables
}

/** The options for the first example of the body, which is the simplest. */
function bodyOptions(document: Document, operation: Operation): string[] {
  const [[type, media] = []] = Object.entries(contentOf(document, operation))
  const [first] = Object.values(media?.examples ?? {})
  if (first === undefined) return []
  if (type === 'multipart/form-data') {
    return Object.entries(first.value as object).map(([name, value]) => `-F ${name}=${value}`)
  }
  return ["-H 'Content-Type: application/json'", `-d ${quote(jsonText(first.value))}`]
}

/** What the body of a request may be, by its type. */
export function contentOf(document: Document, { requestBody }: Operation): RequestBody['content'] {
  if (requestBody === undefined) return {}
  if (!('$ref' in requestBody)) return requestBody.content
  return document.components.requestBodies[requestBody.$ref.split('/').at(-1) ?? '']?.content ?? {}
}

/** JSON, on one line if it fits. */
function jsonText(body: unknown): string {
  const line = JSON.stringify(body)
  return line.length <= 80 ? line : JSON.stringify(body, null, 2)
}

/** Quotes a text for a POSIX shell, where no character is special inside single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
