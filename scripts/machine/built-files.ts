import path from 'node:path'
import { root } from './checkout.ts'

/** Scripts of the pages: among the Worker's static files, so that the address of each is `/scripts/<name>.js`. */
export const bundledScripts = path.join(root, 'worker/public/scripts')

/** `worker/http/serve/serve-guide.ts` alone leads to them. */
export const builtGuides = path.join(root, 'worker/public/guides')

/** What every service serves, so that the client can be installed from it. */
export const packedClient = path.join(root, 'worker/public/client/spool-video.tgz')

/** Only types, so a program that runs from these sources does without; the compiler, the linter and an editor want it. */
export const apiTypes = path.join(root, 'client/src/api-types.ts')

/** Whether the build has made this file, which is then not one of its sources. */
export function isBuilt(file: string): boolean {
  return [bundledScripts, builtGuides, packedClient, apiTypes].some(
    (built) => file === built || file.startsWith(`${built}${path.sep}`),
  )
}
