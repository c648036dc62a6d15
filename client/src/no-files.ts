import { SpoolError } from './errors.ts'

/** Takes the place of node/open-path.ts everywhere but in Node: `imports` in package.json. */
export async function openPath(): Promise<never> {
  throw new SpoolError(
    'There is no file system here, so a path cannot be read. Pass a File, a Blob or a stream.',
  )
}
