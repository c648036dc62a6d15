import path from 'node:path'
import { root } from '../machine/checkout.ts'

/**
 * Where the scripts of the pages are bundled to: in the folder of the Worker's static files, so that the address of each
 * is `/scripts/<name>.js`.
 */
export const bundledScripts = path.join(root, 'worker/public/scripts')
