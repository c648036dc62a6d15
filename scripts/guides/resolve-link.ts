import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  addressOf,
  guideFolders,
  guidesPath,
  type GuideSection,
} from '../../worker/reference/guides/guide-list.ts'
import { root } from '../machine/checkout.ts'

/** Where a link leads when its page is served; undefined for what only the repository has. */
export type Resolve = (target: string) => string | undefined

type From = { file: string; readers: GuideSection['readers']; isServed: (file: string) => boolean }

/** Links are written as GitHub follows them: from the place of the page in the repository. */
export function resolveFrom({ file, readers, isServed }: From): Resolve {
  return (target) => {
    if (/^(https?:|mailto:|#)/.test(target)) return target
    const [place = '', fragment] = target.split('#')
    const named = path.posix.join(path.posix.dirname(file), place)
    if (!existsSync(path.join(root, named)))
      throw new Error(`${file} links to ${target}, which is not there`)
    const hash = fragment === undefined ? '' : `#${fragment}`
    if (isServed(named)) return `${addressOf(named)}${hash}`
    if (guideFolders.some((folder) => named.startsWith(`docs/${folder}/`))) {
      return named.replace(/^docs/, guidesPath)
    }
    if (readers === 'everyone') {
      throw new Error(
        `${file} links to ${target}, which readers without the repository cannot open`,
      )
    }
    return undefined
  }
}
