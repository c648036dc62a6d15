import { stat } from 'node:fs/promises'
import path from 'node:path'
import { CommandError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import type { File } from './send-source.ts'

export type Request = Readonly<Record<string, unknown>>

/** Stands for the upload of a file that is not sent yet: none has this id. */
export const standInUpload = 'u_0'

/** Stands for the address of a file that is not sent yet. */
export const standInAddress = (): string => 'https://example.com/file'

/** The files on this machine that elements name in place of an address, by what they are named. */
export async function findOverlays(request: Request): Promise<ReadonlyMap<string, File>> {
  const found = new Map<string, File>()
  for (const name of elementsOf(request).flatMap((element) => localPath(element) ?? [])) {
    const facts = await stat(name)
    if (!facts.isFile() || facts.size === 0) {
      const what = facts.isFile() ? 'is empty' : 'is not a file'
      throw new CommandError(`${name} ${what}.`, exitCodes.localFile)
    }
    found.set(name, { kind: 'file', path: name, name: path.basename(name), size: facts.size })
  }
  return found
}

/** The request with addresses in place of these files. */
export function withOverlays(
  request: Request,
  overlays: ReadonlyMap<string, File>,
  addressOf: (path: string) => string,
): Request {
  if (overlays.size === 0) return request
  const elements = elementsOf(request).map((element) => {
    const local = localPath(element)
    return local === undefined ? element : { ...(element as object), url: addressOf(local) }
  })
  return { ...request, elements }
}

function elementsOf({ elements }: Request): readonly unknown[] {
  return Array.isArray(elements) ? elements : []
}

/** Whatever begins with a scheme is an address, and left to the service to judge. */
function localPath(element: unknown): string | undefined {
  const { url } = (element ?? {}) as { url?: unknown }
  return typeof url === 'string' && url !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(url)
    ? url
    : undefined
}
