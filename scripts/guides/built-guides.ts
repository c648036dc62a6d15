import path from 'node:path'
import { root } from '../machine/checkout.ts'

/** Where the guides are built to; `worker/http/serve/serve-guide.ts` alone leads to them. */
export const builtGuides = path.join(root, 'worker/public/guides')
