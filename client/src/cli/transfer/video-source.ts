import { existsSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import path from 'node:path'
import { headBytes, knownVideos, looksLikeVideo } from '../../upload/looks-like-video.ts'
import { CommandError, UsageError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'

export type Source =
  | { kind: 'url'; url: string }
  /** A video of the account, of whose source another one is made. */
  | { kind: 'video'; videoId: string }
  | { kind: 'file'; path: string; name: string; size: number | undefined }
  /** Named by the request itself: an upload, for example. */
  | { kind: 'request' }

const sourceFields = ['fileUrl', 'files', 'uploadId', 'sourceVideoId']

/** Looks at every input before anything is sent, so that the last of them cannot fail after the first was uploaded. */
export async function findSources(
  inputs: readonly string[],
  request: Readonly<Record<string, unknown>>,
): Promise<Source[]> {
  const named = sourceFields.filter((field) => request[field] !== undefined)
  if (inputs.length === 0) {
    // A preset has no source, so this cannot be complete.
    if (named.length === 0)
      throw new UsageError('FILE|URL|VIDEO is missing.', ['See `spool run --help`.'])
    return [{ kind: 'request' }]
  }
  const sources = await Promise.all(inputs.map(findSource))
  const video = sources.find(({ kind }) => kind === 'video')
  if (video && sources.length > 1) {
    throw new UsageError('The source of an earlier video cannot be joined with others.')
  }
  const isContinued = sources.length === 1 && sources[0]?.kind === 'file'
  const twice = named.filter((field) => !(isContinued && field === 'uploadId'))
  if (twice.length > 0)
    throw new UsageError(`The source is given twice: ${inputs[0]} and ${twice[0]}.`)
  if (inputs.filter((input) => input === '-').length > 1) {
    throw new UsageError('Standard input can be read only once.')
  }
  return sources
}

async function findSource(input: string): Promise<Source> {
  if (/^https?:\/\//i.test(input)) return { kind: 'url', url: input }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(input)) {
    throw new UsageError(`${input}: an address must begin with https:// or http://.`)
  }
  if (/^v_[0-9A-Za-z]{8}$/.test(input) && !existsSync(input))
    return { kind: 'video', videoId: input }
  if (input === '-') return { kind: 'file', path: '-', name: 'video', size: undefined }
  const facts = await stat(input)
  if (facts.isDirectory()) throw new CommandError(`${input} is a folder.`, exitCodes.localFile)
  if (facts.isFile() && facts.size === 0) {
    throw new CommandError(`${input} is empty.`, exitCodes.localFile)
  }
  if (facts.isFile() && !looksLikeVideo(await readHead(input))) {
    throw new CommandError(
      `${input} is not a video that the service takes: ${knownVideos}.`,
      exitCodes.localFile,
    )
  }
  const size = facts.isFile() ? facts.size : undefined
  return { kind: 'file', path: input, name: path.basename(input), size }
}

async function readHead(file: string): Promise<Uint8Array> {
  const opened = await open(file)
  try {
    const { buffer, bytesRead } = await opened.read({ buffer: new Uint8Array(headBytes) })
    return buffer.subarray(0, bytesRead)
  } finally {
    await opened.close()
  }
}
