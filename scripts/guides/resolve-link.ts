import path from 'node:path'
import { guideAddress, guideFolders, guidesPath } from '../../worker/reference/guides/guide-list.ts'

/** Where a link leads when its page is served; undefined for what only the repository has. */
export type Resolve = (target: string) => string | undefined

type LinkingPage = { file: string; isServed: (file: string) => boolean }

/**
 * Links are written as GitHub follows them: from the place of the page in the repository. What is not served becomes plain
 * text; tests list the links for which that is allowed.
 */
export function resolveFrom({ file, isServed }: LinkingPage): Resolve {
  return (target) => {
    if (/^(https?:|mailto:|#)/.test(target)) return target
    const [place = '', fragment] = target.split('#')
    const named = path.posix.join(path.posix.dirname(file), place)
    const hash = fragment === undefined ? '' : `#${fragment}`
    if (isServed(named)) return `${guideAddress(named)}${hash}`
    return guideFolders.some((folder) => named.startsWith(`docs/${folder}/`))
      ? named.replace(/^docs/, guidesPath)
      : undefined
  }
}
